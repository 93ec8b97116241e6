package shop;

public class InheritedTest extends Base {
    @Override
    Object made() {
        return this;
    }
}
