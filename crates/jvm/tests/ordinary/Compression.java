import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.zip.*;

public class Compression {
    static final String TEXT = "to be or not to be, ".repeat(400) + "the end";

    static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
            zip.write(bytes);
        }
        return out.toByteArray();
    }

    static byte[] deflate(Deflater deflater, byte[] input, int room) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[room];
        deflater.setInput(input);
        deflater.finish();
        while (!deflater.finished()) out.write(buffer, 0, deflater.deflate(buffer));
        return out.toByteArray();
    }

    static byte[] inflate(Inflater inflater, byte[] data, int piece, int room) throws DataFormatException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[room];
        int at = 0;
        while (!inflater.finished()) {
            if (inflater.needsInput()) {
                int end = Math.min(at + piece, data.length);
                inflater.setInput(data, at, end - at);
                at = end;
            }
            out.write(buffer, 0, inflater.inflate(buffer));
        }
        return out.toByteArray();
    }

    static void fails(byte[] data) {
        try {
            inflate(new Inflater(), data, 100, 100);
        } catch (DataFormatException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] bytes = TEXT.getBytes(StandardCharsets.UTF_8);
        byte[] zipped = gzip(bytes);
        GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(zipped));
        System.out.println((zipped.length < 200) + " " + Arrays.equals(in.readAllBytes(), bytes));
        for (int level = -1; level < 10; level += 2) {
            for (boolean raw : new boolean[] {false, true}) {
                Deflater deflater = new Deflater(level, raw);
                byte[] data = deflate(deflater, bytes, 64);
                Inflater inflater = new Inflater(raw);
                byte[] back = inflate(inflater, data, 10, 33);
                System.out.println(level + " " + raw + " " + deflater.getTotalIn() + " " + (deflater.getBytesWritten() == data.length)
                    + " " + Arrays.equals(back, bytes) + " " + inflater.getBytesRead() / data.length + " " + inflater.getTotalOut()
                    + " " + inflater.getRemaining() + " " + Integer.toHexString(inflater.getAdler()) + " " + Integer.toHexString(deflater.getAdler()));
                inflater.reset();
                deflater.reset();
                System.out.println(new String(inflate(inflater, deflate(deflater, "again".getBytes(), 100), 100, 100)));
            }
        }
        Deflater parts = new Deflater();
        byte[] buffer = new byte[1000];
        parts.setInput("first ".getBytes());
        int length = parts.deflate(buffer, 0, 1000, Deflater.NO_FLUSH);
        System.out.println(length + " " + parts.needsInput() + " " + Integer.toHexString(buffer[0] & 0xFF) + Integer.toHexString(buffer[1] & 0xFF));
        length += parts.deflate(buffer, length, 1000 - length, Deflater.SYNC_FLUSH);
        System.out.println(parts.deflate(buffer, length, 1000 - length, Deflater.SYNC_FLUSH));
        Inflater flushed = new Inflater();
        flushed.setInput(buffer, 0, length);
        byte[] text = new byte[100];
        int count = flushed.inflate(text);
        System.out.println(new String(text, 0, count) + "| " + flushed.needsInput() + flushed.finished());
        parts.setInput("second".getBytes());
        parts.finish();
        length = parts.deflate(buffer);
        byte[] more = Arrays.copyOf(buffer, length + 3);
        flushed.setInput(more);
        count = flushed.inflate(text);
        System.out.println(new String(text, 0, count) + "| " + flushed.finished() + flushed.getRemaining());

        byte[] dictionary = "to be or not".getBytes();
        Deflater deflater = new Deflater();
        deflater.setDictionary(dictionary);
        byte[] data = deflate(deflater, bytes, 100);
        Inflater inflater = new Inflater();
        inflater.setInput(data);
        System.out.println(inflater.inflate(text) + " " + inflater.needsDictionary() + " " + Integer.toHexString(inflater.getAdler()));
        try {
            inflater.setDictionary(new byte[3]);
        } catch (IllegalArgumentException e) {
            System.out.println("another dictionary");
        }
        inflater.setDictionary(dictionary);
        System.out.println(Arrays.equals(inflate(inflater, data, 10, 100), bytes));

        fails(new byte[] {1, 2, 3});
        fails(new byte[] {0x78, (byte) 0x9c, 7});
        byte[] wrong = deflate(new Deflater(), bytes, 100);
        wrong[wrong.length - 1]++;
        fails(wrong);
        deflater.end();
        try {
            deflater.deflate(text);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }

        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.setComment("all of it");
            zip.putNextEntry(new ZipEntry("a.txt"));
            zip.write(bytes);
            zip.closeEntry();
            ZipEntry stored = new ZipEntry("folder/b.txt");
            stored.setMethod(ZipEntry.STORED);
            stored.setSize(3);
            CRC32 sum = new CRC32();
            sum.update("two".getBytes());
            stored.setCrc(sum.getValue());
            zip.putNextEntry(stored);
            zip.write("two".getBytes());
        }
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(out.toByteArray()))) {
            for (ZipEntry entry; (entry = zip.getNextEntry()) != null; ) {
                System.out.println(entry.getName() + " " + zip.readAllBytes().length);
            }
        }
        File file = File.createTempFile("entries", ".zip");
        try (FileOutputStream to = new FileOutputStream(file)) {
            out.writeTo(to);
        }
        try (ZipFile zip = new ZipFile(file)) {
            System.out.println(zip.size() + " " + zip.getComment() + " " + new String(zip.getInputStream(zip.getEntry("folder/b.txt")).readAllBytes())
                + " " + zip.getInputStream(zip.getEntry("a.txt")).readAllBytes().length);
        }
        file.delete();
    }
}
