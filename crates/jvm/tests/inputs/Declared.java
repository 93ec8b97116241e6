/** A program that knows nothing of inputs. */
class Declared {
    static class Random {
        static int draw(int limit) {
            return 4;
        }

        static long draw() {
            return 4;
        }
    }

    static boolean coin() {
        return true;
    }

    double weight() {
        return 1;
    }

    public static void main(String[] arguments) {
        if (Random.draw(10) == 99 && !coin() && Random.draw() == -1) {
            throw new IllegalStateException("unlikely");
        }
    }
}
