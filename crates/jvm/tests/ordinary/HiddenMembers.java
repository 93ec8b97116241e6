import java.lang.reflect.*;

class Vault {
    private static final String NAME = "vault";
    private int gold = 5;
    int silver = 6;
    protected int bronze = 7;

    private Vault(int gold) {
        this.gold = gold;
    }

    Vault() {}

    private int open() {
        return gold;
    }

    public int look() {
        return 0;
    }
}

public class HiddenMembers {
    private static class Nested {
        private int own = 8;
    }

    interface Action {
        Object run() throws Exception;
    }

    static void attempt(Action action) throws Exception {
        try {
            System.out.println(action.run());
        } catch (IllegalAccessException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) throws Exception {
        Vault vault = new Vault();
        Field gold = Vault.class.getDeclaredField("gold");
        attempt(() -> gold.get(vault));
        attempt(() -> gold.getInt(vault));
        attempt(() -> {
            gold.setInt(vault, 9);
            return "set";
        });
        attempt(() -> Vault.class.getDeclaredField("NAME").get(null));
        attempt(() -> Vault.class.getDeclaredField("silver").get(vault));
        attempt(() -> Vault.class.getDeclaredField("bronze").get(vault));
        Method open = Vault.class.getDeclaredMethod("open");
        attempt(() -> open.invoke(vault));
        attempt(() -> Vault.class.getMethod("look").invoke(vault));
        Constructor<Vault> made = Vault.class.getDeclaredConstructor(int.class);
        attempt(() -> made.newInstance(3));
        attempt(() -> String.class.getDeclaredMethod("isLatin1").invoke("x"));
        attempt(() -> Nested.class.getDeclaredField("own").get(new Nested()));
        gold.setAccessible(true);
        open.setAccessible(true);
        made.setAccessible(true);
        attempt(() -> gold.get(vault));
        attempt(() -> open.invoke(made.newInstance(4)));
        gold.setAccessible(false);
        attempt(() -> gold.get(vault));
    }
}
