public class Simulations {
    static class Vec {
        final double x, y;
        Vec(double x, double y) {
            this.x = x;
            this.y = y;
        }
        Vec plus(Vec o) {
            return new Vec(x + o.x, y + o.y);
        }
        double len() {
            return Math.sqrt(x * x + y * y);
        }
        @Override public String toString() {
            return String.format("(%.3f, %.3f)", x, y);
        }
    }
    static class Body {
        Vec p, v;
        final double m;
        Body(Vec p, Vec v, double m) {
            this.p = p;
            this.v = v;
            this.m = m;
        }
    }
    public static void main(String[] args) {
        Body[] bs = { new Body(new Vec(0, 0), new Vec(0, 0), 1000), new Body(new Vec(10, 0), new Vec(0, 10), 1) };
        for (int step = 0; step < 200; step++) for (Body b : bs) {
            double ax = 0, ay = 0;
            for (Body o : bs) if (o != b) {
                double dx = o.p.x - b.p.x, dy = o.p.y - b.p.y, d = Math.hypot(dx, dy);
                ax += o.m * dx / (d * d * d);
                ay += o.m * dy / (d * d * d);
            }
            b.v = b.v.plus(new Vec(ax * 0.01, ay * 0.01));
            b.p = b.p.plus(new Vec(b.v.x * 0.01, b.v.y * 0.01));
        }
        for (Body b : bs) System.out.println(b.p + " " + b.v + " " + b.p.len());
        int w = 40, h = 12;
        for (int y = 0; y < h; y++) {
            StringBuilder sb = new StringBuilder();
            for (int x = 0; x < w; x++) {
                double cr = -2 + 3.0 * x / w, ci = -1.2 + 2.4 * y / h, zr = 0, zi = 0;
                int i = 0;
                while (i < 50 && zr * zr + zi * zi < 4) {
                    double t = zr * zr - zi * zi + cr;
                    zi = 2 * zr * zi + ci;
                    zr = t;
                    i++;
                }
                sb.append(i == 50 ? '#' : i > 5 ? '+' : '.');
            }
            System.out.println(sb);
        }
        float f = 1;
        int n = 0;
        while (f > 0) {
            f /= 2;
            n++;
        }
        System.out.println(n);
        long bits = Double.doubleToLongBits(Math.PI);
        System.out.println(Long.toHexString(bits) + " " + (bits >>> 52 & 0x7ff) + " " + Double.toString(1e16) + " " + (0.1f + 0.2f) + " " + (float) 0.1 * 3 + " " + 1.0 / 3 + " " + 100 * 1.1 + " " + 3.0e-45f + " " + Float.MIN_NORMAL);
        System.out.println(Math.floor(-1.5) + " " + Math.round(-1.5) + " " + Math.rint(2.5) + " " + (int) -1.9 + " " + Math.ceil(-0.2) + " " + -7 / 2 + " " + -7 % 3 + " " + Math.floorMod(-7, 3) + " " + 5.5 % 2 + " " + -5.5 % 2);
    }
}
