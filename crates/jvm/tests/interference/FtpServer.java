/**
 * A session of a file server: one thread sends a file over the data connection, another one serves the
 * control connection and closes both when the client quits. Nobody waits for the end of the transfer.
 */
public class FtpServer {
    /** Where the file goes. */
    static class DataConnection {
        int sent;

        void send(int block) {
            sent += block;
        }
    }

    static class Session {
        DataConnection data = new DataConnection();
        boolean closed;

        void transfer(int blocks) {
            for (int block = 0; block < blocks; block++) {
                data.send(1);
            }
            reply("226 transfer complete");
        }

        void reply(String text) {
            if (closed) {
                throw new IllegalStateException("the control connection is closed");
            }
        }

        void quit() {
            data = null;
            closed = true;
        }
    }

    public static void main(String[] arguments) {
        Session session = new Session();
        new Thread(() -> session.transfer(3)).start();
        new Thread(session::quit).start();
    }
}
