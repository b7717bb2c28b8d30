package io.hiroba.testkit;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The plan by which PostgreSQL carried a statement out: what it read, from where, and how much of it. */
public record Plan(JsonNode root) {

    public static final String LEAD = "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ";

    /** Runs what {@code explained} starts with {@link #LEAD}, with a plan for these values or one for any values. */
    public static Plan of(Db db, boolean generic, Function<Reads, Query> explained) {
        return db.inTransaction(tx -> {
            tx.update("SET LOCAL plan_cache_mode = " + (generic ? "force_generic_plan" : "force_custom_plan"))
                    .execute();
            var json = explained.apply(tx).mapTo(String.class).one();
            return new Plan(JsonMapper.shared().readTree(json).path(0).path("Plan"));
        });
    }

    private Stream<JsonNode> nodes() {
        var all = new ArrayList<JsonNode>();
        collect(root, all);
        return all.stream();
    }

    private static void collect(JsonNode node, List<JsonNode> all) {
        all.add(node);
        node.path("Plans").forEach(child -> collect(child, all));
    }

    private static String type(JsonNode node) {
        return node.path("Node Type").asString("");
    }

    private static long rows(JsonNode node) {
        double passed = node.path("Actual Rows").asDouble()
                + node.path("Rows Removed by Filter").asDouble()
                + node.path("Rows Removed by Index Recheck").asDouble();
        return Math.round(passed * node.path("Actual Loops").asDouble());
    }

    /** Those of {@code tables} that were read from their beginning on, past more than {@code most} rows. */
    public List<String> scannedThrough(Set<String> tables, long most) {
        return nodes().filter(node -> type(node).equals("Seq Scan") && rows(node) > most)
                .map(node -> node.path("Relation Name").asString(""))
                .filter(tables::contains)
                .toList();
    }

    /** The most rows that a sort was given. */
    public long largestSort() {
        return nodes().filter(node -> type(node).contains("Sort"))
                .flatMap(node -> node.path("Plans").valueStream())
                .mapToLong(Plan::rows)
                .max()
                .orElse(0);
    }

    /** Rows of the table itself that were looked at: those of index-only scans count only where the heap was asked. */
    public long rowsReadOf(String table) {
        return nodes().filter(node -> node.path("Relation Name").asString("").equals(table))
                .mapToLong(node -> type(node).equals("Index Only Scan")
                        ? node.path("Heap Fetches").asLong()
                        : rows(node))
                .sum();
    }

    /** Entries that were passed in all indexes and tables together. */
    public long entriesPassed() {
        return nodes().filter(node -> type(node).contains("Scan") && node.has("Relation Name"))
                .mapToLong(Plan::rows)
                .sum();
    }

    /** Entries of this table and its indexes that were passed. */
    public long entriesPassedOf(String table) {
        return nodes().filter(node -> node.path("Relation Name").asString("").equals(table))
                .mapToLong(Plan::rows)
                .sum();
    }

    /** Blocks that were looked at, whether they had to be fetched or not. */
    public long blocks() {
        return root.path("Shared Hit Blocks").asLong()
                + root.path("Shared Read Blocks").asLong();
    }

    @Override
    public String toString() {
        return root.toPrettyString();
    }
}
