import java.io.*;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

public class FilesTour {
    interface Body { Object run() throws Exception; }
    static Path base;
    static String clean(Object o) { return String.valueOf(o).replace(String.valueOf(base), "BASE"); }
    static void show(String what, Body body) {
        try {
            System.out.println(what + ": " + clean(body.run()));
        } catch (Exception e) {
            System.out.println(what + ": " + e.getClass().getName() + " " + clean(e.getMessage()));
        }
    }
    public static void main(String[] args) throws Exception {
        base = Files.createTempDirectory("tour");
        show("temp", () -> Files.isDirectory(base) + " " + base.getParent() + " " + base.getFileName().toString().startsWith("tour"));
        Path a = base.resolve("a.txt");
        show("absent", () -> Files.exists(a) + " " + Files.notExists(a) + " " + a.toFile().exists() + " " + a.toFile().length());
        show("read absent", () -> Files.readString(a));
        show("size absent", () -> Files.size(a));
        show("delete absent", () -> { Files.delete(a); return "deleted"; });
        show("delete if", () -> Files.deleteIfExists(a));
        show("stream absent", () -> new FileInputStream(a.toFile()));
        show("reader absent", () -> Files.newBufferedReader(a));
        show("write", () -> Files.writeString(a, "hello\n").getFileName());
        show("append", () -> { Files.write(a, List.of("one", "two"), StandardOpenOption.APPEND); return Files.readString(a); });
        show("lines", () -> Files.readAllLines(a) + " " + Files.size(a));
        show("stream of lines", () -> { try (Stream<String> s = Files.lines(a)) { return s.map(String::toUpperCase).collect(Collectors.toList()); } });
        show("overwrite", () -> { Files.writeString(a, "new"); return Files.readString(a); });
        show("create new", () -> Files.writeString(a, "x", StandardOpenOption.CREATE_NEW));
        show("no create", () -> Files.writeString(base.resolve("no.txt"), "x", StandardOpenOption.WRITE));
        show("partial", () -> { Files.writeString(a, "N", StandardOpenOption.WRITE); return Files.readString(a); });
        show("create file", () -> Files.createFile(base.resolve("b.txt")).getFileName() + " " + Files.size(base.resolve("b.txt")));
        show("create again", () -> Files.createFile(base.resolve("b.txt")));
        show("in no folder", () -> Files.writeString(base.resolve("x/y.txt"), "x"));
        show("in a file", () -> Files.writeString(a.resolve("y.txt"), "x"));
        show("folder", () -> Files.createDirectory(base.resolve("d")).getFileName());
        show("folder again", () -> Files.createDirectory(base.resolve("d")));
        show("folders", () -> Files.createDirectories(base.resolve("d/e/f")).getFileName());
        show("folders again", () -> Files.createDirectories(base.resolve("d/e/f")).getFileName());
        show("folder of file", () -> Files.createDirectories(a));
        show("write folder", () -> Files.writeString(base.resolve("d"), "x"));
        show("read folder", () -> Files.readString(base.resolve("d")));
        show("open folder", () -> new FileOutputStream(base.resolve("d").toFile()));
        show("delete full", () -> { Files.delete(base.resolve("d")); return "deleted"; });
        Files.writeString(base.resolve("d/e/g.txt"), "g");
        show("list", () -> { try (Stream<Path> s = Files.list(base)) { return s.map(p -> p.getFileName().toString()).sorted().collect(Collectors.toList()); } });
        show("walk", () -> { try (Stream<Path> s = Files.walk(base)) { return s.map(p -> base.relativize(p).toString()).sorted().collect(Collectors.toList()); } });
        show("find", () -> { try (Stream<Path> s = Files.find(base, 9, (p, at) -> at.isRegularFile() && at.size() > 0)) { return s.map(p -> p.getFileName().toString()).sorted().collect(Collectors.toList()); } });
        show("list file", () -> Files.list(a));
        show("list absent", () -> Files.list(base.resolve("none")));
        show("glob", () -> { List<String> l = new ArrayList<>(); try (DirectoryStream<Path> s = Files.newDirectoryStream(base, "*.txt")) { for (Path p : s) l.add(p.getFileName().toString()); } Collections.sort(l); return l; });
        show("copy", () -> { Files.copy(a, base.resolve("c.txt")); Files.writeString(a, "changed"); return Files.readString(base.resolve("c.txt")); });
        show("copy again", () -> Files.copy(a, base.resolve("c.txt")));
        show("copy over", () -> { Files.copy(a, base.resolve("c.txt"), StandardCopyOption.REPLACE_EXISTING); return Files.readString(base.resolve("c.txt")); });
        show("copy absent", () -> Files.copy(base.resolve("none"), base.resolve("z")));
        show("copy stream", () -> Files.copy(new ByteArrayInputStream("bytes".getBytes()), base.resolve("s.txt")) + Files.readString(base.resolve("s.txt")));
        show("copy out", () -> { ByteArrayOutputStream o = new ByteArrayOutputStream(); Files.copy(a, o); return o; });
        show("move", () -> { Files.move(a, base.resolve("m.txt")); return Files.exists(a) + Files.readString(base.resolve("m.txt")); });
        show("move over", () -> Files.move(base.resolve("m.txt"), base.resolve("c.txt")));
        show("move atomic", () -> { Files.move(base.resolve("m.txt"), base.resolve("c.txt"), StandardCopyOption.ATOMIC_MOVE); return Files.readString(base.resolve("c.txt")); });
        show("writer", () -> { try (BufferedWriter w = Files.newBufferedWriter(a)) { w.write("äöü"); w.newLine(); } return Files.readAllBytes(a).length; });
        show("printwriter", () -> { try (PrintWriter w = new PrintWriter(new FileWriter(a.toFile(), true))) { w.println("x = " + 3); w.printf("%03d%n", 7); } return Files.readString(a); });
        show("filereader", () -> { try (BufferedReader r = new BufferedReader(new FileReader(a.toFile()))) { return r.readLine() + r.readLine() + r.readLine() + r.readLine(); } });
        show("scanner", () -> { try (Scanner s = new Scanner(a)) { return s.nextLine() + s.next() + s.next() + s.nextInt(); } });
        show("fos", () -> { try (FileOutputStream o = new FileOutputStream(a.toString())) { o.write(65); o.write("BCD".getBytes(), 1, 2); o.flush(); } return Files.readString(a); });
        show("fis", () -> { try (FileInputStream i = new FileInputStream(a.toString())) { return i.available() + " " + i.read() + " " + i.skip(1) + " " + i.read() + " " + i.read() + " " + i.available(); } });
        show("data", () -> { File f = a.toFile(); try (DataOutputStream o = new DataOutputStream(new BufferedOutputStream(new FileOutputStream(f)))) { o.writeInt(77); o.writeUTF("hi"); o.writeLong(-1L); } try (DataInputStream i = new DataInputStream(new FileInputStream(f))) { return i.readInt() + i.readUTF() + i.readLong() + f.length(); } });
        show("object", () -> { File f = a.toFile(); try (ObjectOutputStream o = new ObjectOutputStream(new FileOutputStream(f))) { o.writeObject(new ArrayList<>(List.of(1, "two"))); } try (ObjectInputStream i = new ObjectInputStream(new FileInputStream(f))) { return i.readObject(); } });
        show("closed", () -> { FileOutputStream o = new FileOutputStream(a.toFile()); o.close(); o.close(); o.write(1); return "written"; });
        show("closed in", () -> { FileInputStream o = new FileInputStream(a.toFile()); o.close(); return o.read(); });
        show("random", () -> { try (RandomAccessFile r = new RandomAccessFile(a.toFile(), "rw")) { r.writeInt(5); r.write("abc".getBytes()); r.seek(4); byte[] b = new byte[2]; r.readFully(b); long at = r.getFilePointer(); r.seek(10); r.write(1); r.seek(8); return new String(b) + at + " " + r.length() + " " + r.read() + " " + r.readByte(); } });
        show("random set", () -> { try (RandomAccessFile r = new RandomAccessFile(a.toFile(), "rw")) { r.setLength(2); return r.length() + " " + r.read() + r.read() + r.read(); } });
        show("random ro", () -> { try (RandomAccessFile r = new RandomAccessFile(a.toFile(), "r")) { r.write(3); return "written"; } });
        show("random absent", () -> new RandomAccessFile(base.resolve("none").toFile(), "r"));
        show("channel", () -> { try (FileChannel c = FileChannel.open(a, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.READ, StandardOpenOption.TRUNCATE_EXISTING)) { c.write(ByteBuffer.wrap("0123456789".getBytes())); c.position(3); ByteBuffer b = ByteBuffer.allocate(4); int n = c.read(b); b.flip(); return n + StandardCharsets.UTF_8.decode(b).toString() + c.position() + " " + c.size() + " " + c.read(b) + " " + c.truncate(5).size() + c.read(ByteBuffer.allocate(3), 9); } });
        show("channel of stream", () -> { try (FileOutputStream o = new FileOutputStream(a.toFile()); FileChannel c = o.getChannel()) { c.write(ByteBuffer.wrap("xyz".getBytes())); return c.position() + " " + c.size(); } });
        show("bytechannel", () -> { try (var c = Files.newByteChannel(a)) { ByteBuffer b = ByteBuffer.allocate(9); int n = c.read(b); return n + " " + c.read(b) + " " + c.size(); } });
        show("bytechannel new", () -> Files.newByteChannel(a, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
        File f = base.resolve("old.txt").toFile();
        show("old", () -> f.createNewFile() + " " + f.createNewFile() + " " + f.exists() + " " + f.isFile() + " " + f.isDirectory() + " " + f.canRead() + " " + f.canWrite());
        show("old none", () -> new File(base.toFile(), "n/o.txt").createNewFile());
        show("mkdir", () -> new File(base.toFile(), "p").mkdir() + " " + new File(base.toFile(), "p").mkdir() + " " + new File(base.toFile(), "p/q/r").mkdirs() + " " + new File(base.toFile(), "s/t").mkdir());
        show("files", () -> { String[] l = base.toFile().list(); Arrays.sort(l); return Arrays.toString(l) + f.list(); });
        show("filter", () -> { File[] l = base.toFile().listFiles((d, n) -> n.startsWith("o")); return l.length + l[0].getName(); });
        show("rename", () -> f.renameTo(base.resolve("older.txt").toFile()) + " " + f.exists() + " " + f.renameTo(f));
        show("old delete", () -> f.delete() + " " + base.resolve("older.txt").toFile().delete() + " " + base.resolve("p").toFile().delete() + " " + base.resolve("p/q/r").toFile().delete());
        show("tempfile", () -> { File t = File.createTempFile("pre", ".suf"); t.deleteOnExit(); return t.exists() + " " + t.length() + " " + t.getName().startsWith("pre") + t.getName().endsWith(".suf"); });
        show("temppath", () -> { Path t = Files.createTempFile(base, "pre", null); return Files.exists(t) + " " + t.getFileName().toString().endsWith(".tmp") + base.equals(t.getParent()); });
        show("same", () -> Files.isSameFile(a, base.resolve("d/../a.txt")) + " " + Files.isSameFile(a, base.resolve("c.txt")));
        show("canonical", () -> new File(base.toFile(), "d/../a.txt").getCanonicalPath());
        show("real", () -> base.resolve("d/../a.txt").toRealPath());
        show("real none", () -> base.resolve("none").toRealPath());
        show("delete on close", () -> { Path t = base.resolve("gone"); try (var o = Files.newOutputStream(t, StandardOpenOption.CREATE, StandardOpenOption.DELETE_ON_CLOSE)) { o.write(1); } return Files.exists(t); });
        show("unlinked", () -> { FileInputStream i = new FileInputStream(a.toFile()); Files.delete(a); Files.writeString(a, "other"); int r = i.read(); i.close(); return r + Files.readString(a); });
        show("attributes", () -> { var at = Files.readAttributes(a, java.nio.file.attribute.BasicFileAttributes.class); return at.isRegularFile() + " " + at.isDirectory() + " " + at.size() + at.isSymbolicLink(); });
        show("mismatch", () -> Files.mismatch(a, base.resolve("c.txt")));
        try (Stream<Path> s = Files.walk(base)) {
            for (Path p : s.sorted(Comparator.reverseOrder()).collect(Collectors.toList())) Files.delete(p);
        }
        show("end", () -> Files.exists(base));
    }
}
