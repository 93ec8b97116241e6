import java.util.Random;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/** Functions whose results Java prescribes to the last bit, and those of `Math` that are the same ones. */
public class StrictFunctions {
    static final double[] SPECIAL = {
        0, -0.0, 1, -1, 2, 0.5, -0.5, Double.NaN, 1 / 0.0, -1 / 0.0, Double.MIN_VALUE, -Double.MIN_VALUE,
        Double.MAX_VALUE, Double.MIN_NORMAL, Math.PI, Math.PI / 2, Math.PI / 4, -Math.PI, 3 * Math.PI / 4, 10, 100,
        1000, 1e15, 1e22, 1e300, 709.78, 710.4, -40, 22, 0.6744, 0.6745, 0.29, -0.29, 0.41, 1e-9, 1e-20
    };
    static final double[] X = new double[4000];
    static final double[] Y = new double[X.length];

    static void show(String name, DoubleUnaryOperator function) {
        show(name, (x, y) -> function.applyAsDouble(x));
    }

    static void show(String name, DoubleBinaryOperator function) {
        long hash = 0;
        for (int i = 0; i < X.length; i++) {
            hash = 31 * hash + Double.doubleToLongBits(function.applyAsDouble(X[i], Y[i]));
        }
        int last = X.length - 5;
        System.out.println(name + " " + Long.toHexString(hash) + " " + function.applyAsDouble(X[last], Y[last]));
    }

    public static void main(String[] arguments) {
        Random random = new Random(11);
        for (int i = 0; i < X.length; i++) {
            double u = random.nextDouble() * 2 - 1;
            switch (i % 7) {
                case 0 -> X[i] = u;
                case 1 -> X[i] = u * 4;
                case 2 -> X[i] = u * 720;
                case 3 -> X[i] = u * Math.scalb(1.0, random.nextInt(2000) - 1000);
                case 4 -> X[i] = u * 1e6;
                case 5 -> X[i] = Double.longBitsToDouble(random.nextLong());
                default -> X[i] = Math.PI / 4 * random.nextInt(200) + random.nextInt(50) * Math.ulp(99.0);
            }
            Y[i] = i % 2 == 0 ? X[i] * random.nextDouble() * 2 : random.nextInt(100) - 50.5;
            if (i < SPECIAL.length * SPECIAL.length) {
                X[i] = SPECIAL[i % SPECIAL.length];
                Y[i] = SPECIAL[i / SPECIAL.length];
            }
        }
        show("sin", StrictMath::sin);
        show("cos", StrictMath::cos);
        show("tan", StrictMath::tan);
        show("asin", StrictMath::asin);
        show("acos", StrictMath::acos);
        show("atan", StrictMath::atan);
        show("atan2", StrictMath::atan2);
        show("log", StrictMath::log);
        show("log10", StrictMath::log10);
        show("log1p", StrictMath::log1p);
        show("expm1", StrictMath::expm1);
        show("sinh", StrictMath::sinh);
        show("cosh", StrictMath::cosh);
        show("tanh", StrictMath::tanh);
        show("remainder", StrictMath::IEEEremainder);
        show("Math.asin", Math::asin);
        show("Math.acos", Math::acos);
        show("Math.atan", Math::atan);
        show("Math.atan2", Math::atan2);
        show("Math.log1p", Math::log1p);
        show("Math.expm1", Math::expm1);
        show("Math.sinh", Math::sinh);
        show("Math.cosh", Math::cosh);
        show("Math.tanh", Math::tanh);
        show("Math.remainder", Math::IEEEremainder);
        System.out.println(Math.toDegrees(Math.atan2(1, 1)) + " " + Math.atan2(1e10, -1) + " " + Math.IEEEremainder(1e300, 3));
    }
}
