//@ switches 3
/** The row FTPNET of table 1: the connection is closed while a file is on its way. */
public class ConnectionClosed {
    private StringBuilder connection = new StringBuilder();

    void send(String file) {
        if (connection != null) {
            for (String block : file.split(" ")) {
                connection.append(block); //~ exception
            }
        }
    }

    void close() {
        connection = null;
    }

    synchronized void sendAll(String file) {
        send(file);
    }

    synchronized void closeAfterwards() {
        close();
    }

    public static void main(String[] args) {
        ConnectionClosed server = new ConnectionClosed();
        boolean fixed = args.length > 0;
        Thread client = new Thread(() -> {
            if (fixed) {
                server.sendAll("a file");
            } else {
                server.send("a file");
            }
        });
        client.start();
        if (fixed) {
            server.closeAfterwards();
        } else {
            server.close();
        }
    }
}
