import java.util.*;
import java.io.*;
public class ReadersAndScanners {
    public static void main(String[] a) throws IOException {
        Scanner s = new Scanner("12 hello 3.5 true\nline two\n99999999999 last");
        System.out.println(s.nextInt() + s.next() + s.nextDouble() + s.nextBoolean() + "[" + s.nextLine() + "]" + s.nextLine() + s.nextLong() + s.hasNextInt() + s.next() + s.hasNext());
        try {
            s.next();
        } catch (NoSuchElementException e) {
            System.out.println(e);
        }
        Scanner t = new Scanner("a,b;c").useDelimiter("[,;]");
        while (t.hasNext()) System.out.print(t.next() + "|");
        System.out.println();
        try {
            new Scanner("x").nextInt();
        } catch (InputMismatchException e) {
            System.out.println(e);
        }
        BufferedReader r = new BufferedReader(new StringReader("l1\nl2\r\nl3"));
        String l;
        while ((l = r.readLine()) != null) System.out.println(l);
        System.out.println(new BufferedReader(new StringReader("a\nb")).lines().toList());
        Scanner in = new Scanner(System.in);
        System.out.println(in.hasNextLine());
        BufferedReader b = new BufferedReader(new InputStreamReader(System.in));
        System.out.println(b.readLine());
        System.out.println(System.in.read());
        StringWriter sw = new StringWriter();
        PrintWriter pw = new PrintWriter(sw);
        pw.printf("%d %s", 1, "x");
        pw.println();
        pw.flush();
        System.out.print(sw);
        StringTokenizer st = new StringTokenizer("a b  c");
        System.out.print(st.countTokens());
        while (st.hasMoreTokens()) System.out.print(st.nextToken());
        System.out.println();
        ByteArrayOutputStream bo = new ByteArrayOutputStream();
        DataOutputStream d = new DataOutputStream(bo);
        d.writeInt(5);
        d.writeUTF("héllo");
        d.writeDouble(2.5);
        DataInputStream di = new DataInputStream(new ByteArrayInputStream(bo.toByteArray()));
        System.out.println(di.readInt() + di.readUTF() + di.readDouble());
        PushbackReader pr = new PushbackReader(new StringReader("xy"));
        int c = pr.read();
        pr.unread(c);
        System.out.println((char)pr.read());
        StreamTokenizer tk = new StreamTokenizer(new StringReader("x = 3 + foo"));
        while (tk.nextToken() != StreamTokenizer.TT_EOF) System.out.print(tk.ttype == StreamTokenizer.TT_NUMBER ? tk.nval + ";" : (tk.sval == null ? (char)tk.ttype + ";" : tk.sval + ";"));
        System.out.println();
        LineNumberReader ln = new LineNumberReader(new StringReader("a\nb\n"));
        ln.readLine();
        System.out.println(ln.getLineNumber());
        PrintStream ps = new PrintStream(bo, true, "UTF-8");
        ps.print("ü");
        System.out.println(bo.size());
    }
}
