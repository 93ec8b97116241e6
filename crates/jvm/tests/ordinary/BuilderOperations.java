public class BuilderOperations {
    public static void main(String[] a) {
        StringBuilder sb = new StringBuilder("hello");
        sb.append(1).append('c').append(2.5).append(3f).append(true).append(10L).append((Object)null).append(new char[]{'x','y'}).append("abcdef",1,3);
        System.out.println(sb + " " + sb.length());
        sb.insert(0, 99).insert(3, "INS").deleteCharAt(0).delete(2,4).reverse();
        System.out.println(sb);
        sb.setCharAt(0,'Z');
        sb.setLength(5);
        System.out.println(sb + "|" + sb.indexOf("Z") + sb.lastIndexOf("Z") + sb.charAt(2));
        sb.replace(1,3,"--replaced--");
        System.out.println(sb + sb.substring(3) + sb.subSequence(1,4));
        sb.ensureCapacity(100);
        sb.trimToSize();
        System.out.println(new StringBuilder("a😀b").reverse() + " " + new StringBuilder("a😀b").codePointAt(1) + " " + "a😀b".length() + " " + "a😀b".codePointCount(0,4));
        StringBuffer bf = new StringBuffer();
        for (int i=0;i<10;i++) bf.append(i).append(',');
        bf.setLength(bf.length()-1);
        System.out.println(bf);
        System.out.println(new StringBuilder("abc").compareTo(new StringBuilder("abd")) + " " + new StringBuilder("x").equals(new StringBuilder("x")) + " " + "x".contentEquals(new StringBuilder("x")));
        try {
            sb.charAt(1000);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            sb.deleteCharAt(-1);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            sb.insert(1000, "x");
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(sb.chars().sum() + " " + sb.codePoints().count() + " " + sb.isEmpty()+ " "+sb.appendCodePoint(0x1F600));
    }
}
