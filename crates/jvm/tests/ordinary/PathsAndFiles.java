import java.nio.file.*;
import java.io.*;
public class PathsAndFiles {
    public static void main(String[] a) throws Exception {
        Path p = Paths.get("a","b","..","c.txt");
        System.out.println(p + " " + p.normalize() + " " + p.getFileName() + p.getParent() + p.getNameCount() + p.isAbsolute() + Path.of("/x").resolve("y").relativize(Path.of("/x/z")));
        File f = new File("dir/file.txt");
        System.out.println(f.getName() + f.getParent() + f.getPath());
        System.out.println(new File("/surely/not/here").exists());
        try {
            new FileReader("/surely/not/here");
        } catch (FileNotFoundException e) {
            System.out.println(e.getMessage());
        }
        try {
            Files.readAllLines(Path.of("/surely/not/here"));
        } catch (NoSuchFileException e) {
            System.out.println(e.getMessage());
        }
    }
}
