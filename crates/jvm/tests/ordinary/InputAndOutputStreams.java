import java.io.*;
import java.util.*;
public class InputAndOutputStreams {
    static class Res implements Closeable {
        final String n;
        Res(String n) throws IOException {
            if (n.isEmpty()) throw new IOException("no name");
            this.n = n;
            System.out.println("+" + n);
        }
        public void close() {
            System.out.println("-" + n);
        }
    }
    static String read(Reader r) throws IOException {
        try (BufferedReader b = new BufferedReader(r)) {
            StringBuilder s = new StringBuilder();
            for (String l; (l = b.readLine()) != null; ) s.append(l.length()).append(',');
            return s.toString();
        }
    }
    public static void main(String[] args) throws Exception {
        try (Res a = new Res("a"); Res b = new Res("")) {
            System.out.println("never");
        } catch (IOException e) {
            System.out.println(e.getMessage());
        } finally {
            System.out.println("fin");
        }
        System.out.println(read(new StringReader("one\ntwo\r\n\nthree")));
        ByteArrayOutputStream bo = new ByteArrayOutputStream();
        try (PrintStream ps = new PrintStream(bo, true, "UTF-8")) {
            ps.printf("%d|%s|%c%n", 1, "é", 'x');
            ps.println(3.5f);
            ps.print(true);
        }
        System.out.println(bo.size() + " " + bo.toString("UTF-8").replace("\n", "/"));
        InputStream is = new ByteArrayInputStream("héllo\nwörld".getBytes("UTF-8"));
        BufferedReader br = new BufferedReader(new InputStreamReader(is, "UTF-8"));
        System.out.println(br.readLine() + br.read() + br.ready() + br.skip(2) + br.readLine() + br.readLine());
        PipedInputStream pi = new PipedInputStream();
        PipedOutputStream po = new PipedOutputStream(pi);
        po.write("hi".getBytes());
        po.close();
        System.out.println(new String(pi.readAllBytes()));
        SequenceInputStream sq = new SequenceInputStream(new ByteArrayInputStream(new byte[]{1, 2}), new ByteArrayInputStream(new byte[]{3}));
        System.out.println(Arrays.toString(sq.readAllBytes()));
        CharArrayWriter cw = new CharArrayWriter();
        cw.write("abc");
        cw.append('d');
        System.out.println(cw.toString() + cw.size());
        StringReader sr = new StringReader("xyz");
        sr.mark(1);
        sr.read();
        sr.reset();
        System.out.println((char) sr.read());
        BufferedInputStream bi = new BufferedInputStream(new ByteArrayInputStream(new byte[]{5, 6, 7}));
        bi.mark(5);
        bi.read();
        bi.reset();
        System.out.println(bi.read() + bi.available());
        PrintStream old = System.out;
        ByteArrayOutputStream cap = new ByteArrayOutputStream();
        System.setOut(new PrintStream(cap));
        System.out.println("captured");
        System.setOut(old);
        System.out.println("got " + cap.toString().trim());
        System.setIn(new ByteArrayInputStream("42 words here\n".getBytes()));
        Scanner sc = new Scanner(System.in);
        System.out.println(sc.nextInt() + sc.next() + sc.nextLine() + sc.hasNextLine());
        Writer w = new OutputStreamWriter(bo);
        w.write("z");
        w.flush();
        System.out.println(bo.size());
        try {
            sr.close();
            sr.read();
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
        try (ObjectOutputStream oo = new ObjectOutputStream(new ByteArrayOutputStream())) {
            oo.writeObject(new Object());
        } catch (NotSerializableException e) {
            System.out.println("nse " + e.getMessage());
        }
        System.err.println("to err");
        System.out.println(new File("a/../b.txt").getName() + File.separator + new File("/x", "y").getPath() + new File("rel").isAbsolute());
    }
}
