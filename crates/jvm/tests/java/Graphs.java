import java.util.*;

/** Shortest paths, topological order, union-find, spanning tree. */
public class Graphs {
    record Edge(int from, int to, int cost) {}

    static int[] dijkstra(List<List<Edge>> graph, int start) {
        int[] distance = new int[graph.size()];
        Arrays.fill(distance, Integer.MAX_VALUE);
        distance[start] = 0;
        PriorityQueue<int[]> queue = new PriorityQueue<>((a, b) -> a[1] - b[1]);
        queue.add(new int[] {start, 0});
        while (!queue.isEmpty()) {
            int[] top = queue.poll();
            if (top[1] > distance[top[0]]) continue;
            for (Edge e : graph.get(top[0])) {
                int d = top[1] + e.cost();
                if (d < distance[e.to()]) { distance[e.to()] = d; queue.add(new int[] {e.to(), d}); }
            }
        }
        return distance;
    }

    static List<Integer> topological(List<List<Edge>> graph) {
        int[] in = new int[graph.size()];
        graph.forEach(l -> l.forEach(e -> in[e.to()]++));
        Deque<Integer> ready = new ArrayDeque<>();
        for (int i = 0; i < in.length; i++) if (in[i] == 0) ready.add(i);
        List<Integer> order = new ArrayList<>();
        while (!ready.isEmpty()) {
            int n = ready.remove();
            order.add(n);
            for (Edge e : graph.get(n)) if (--in[e.to()] == 0) ready.add(e.to());
        }
        return order;
    }

    static int find(int[] parent, int x) { return parent[x] == x ? x : (parent[x] = find(parent, parent[x])); }

    public static void main(String[] args) {
        int n = 12;
        List<List<Edge>> graph = new ArrayList<>();
        for (int i = 0; i < n; i++) graph.add(new ArrayList<>());
        List<Edge> all = new ArrayList<>();
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j += 1 + i % 3) { Edge e = new Edge(i, j, (i * 7 + j * 13) % 19 + 1); graph.get(i).add(e); all.add(e); }
        System.out.println(Arrays.toString(dijkstra(graph, 0)));
        System.out.println(topological(graph));
        all.sort(Comparator.comparingInt(Edge::cost).thenComparingInt(Edge::from).thenComparingInt(Edge::to));
        int[] parent = new int[n];
        for (int i = 0; i < n; i++) parent[i] = i;
        int total = 0;
        for (Edge e : all) {
            int a = find(parent, e.from()), b = find(parent, e.to());
            if (a != b) { parent[a] = b; total += e.cost(); }
        }
        System.out.println(total);
        long[][] fib = {{1, 1}, {1, 0}}, power = {{1, 0}, {0, 1}};
        for (int k = 80; k > 0; k >>= 1) { if ((k & 1) == 1) power = multiply(power, fib); fib = multiply(fib, fib); }
        System.out.println(power[0][1]);
    }

    static long[][] multiply(long[][] a, long[][] b) {
        long[][] c = new long[2][2];
        for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) for (int k = 0; k < 2; k++) c[i][j] += a[i][k] * b[k][j];
        return c;
    }
}
