package io.hiroba.bench.records;

import io.hiroba.bench.HttpBench.Request;
import io.hiroba.bench.RawHttp;
import io.hiroba.bench.ServerProcess;
import io.hiroba.platform.http.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/**
 * Requests for records over HTTP: pages, exact counts, and groups with sums. Each is sent as it is again and again, and with a
 * value that no other request has, so that nothing that was kept for another can answer it.
 */
public final class RecordRequests {

    /** The kinds of requests, in their order. */
    static final List<String> WORK =
            List.of("exact count of a status", "group by status with a sum", "two conditions, sorted", "contains");

    static final String SAME = ", the same request";
    static final String ANOTHER = ", each another request";
    static final String WRITE = "write one record";
    static final String WRITE_THEN_GROUP = "write one record, then group by status with a sum";

    private static final long MAX_ROWS = 50_000;
    private static final int BATCH = 1000;
    private static final List<String> TYPES =
            List.of("text", "text", "text", "text", "numeric", "numeric", "numeric", "datetime", "bool", "jsonb");

    private final String project;
    private final AtomicLong fresh = new AtomicLong();

    private RecordRequests(String project) {
        this.project = project;
    }

    /** Makes a project with records on the server and returns the requests for them. */
    public static List<Request> prepare(ServerProcess server) {
        return fill(server).all();
    }

    /** The number of records. */
    static long rows() {
        return Math.min(MAX_ROWS, Long.getLong(RecordsBench.ROWS, MAX_ROWS));
    }

    /** Makes a project with records on the server. */
    public static RecordRequests fill(ServerProcess server) {
        long rows = rows();
        System.err.printf("· filling %s with %,d records%n", server.name(), rows);
        var path = "/api/v1/projects/"
                + server.post("/api/v1/projects", Map.of("name", "bench"))
                        .path("id")
                        .asString();
        var attributes = new ArrayList<Map<String, String>>();
        for (int i = 0; i < TYPES.size(); i++) {
            attributes.add(Map.of("name", RecordsData.COLUMNS.get(i), "type", TYPES.get(i)));
        }
        server.post(path + "/schemas", Map.of("name", "item", "attributes", attributes));
        for (long from = 0; from < rows; from += BATCH) {
            server.post(
                    path + "/records/item",
                    LongStream.range(from, Math.min(rows, from + BATCH))
                            .mapToObj(n -> HirobaRecords.values(SampleRecord.of(n)))
                            .toList());
        }
        return new RecordRequests(path);
    }

    /** The requests, each in both ways, and writing. */
    public List<Request> all() {
        var senders = List.<Sender>of(this::count, this::group, this::twoConditions, this::contains);
        var requests = new ArrayList<Request>();
        for (int i = 0; i < senders.size(); i++) {
            requests.add(asIs(WORK.get(i), senders.get(i)));
            requests.add(fresh(WORK.get(i), senders.get(i)));
        }
        requests.add(new Request(WRITE, (http, number) -> write(http)));
        requests.add(new Request(WRITE_THEN_GROUP, (http, number) -> {
            write(http);
            group(http, 0);
        }));
        return requests;
    }

    /** The answers of all kinds of requests, for comparing them with another's. */
    public List<String> sample(ServerProcess server) {
        var groups = server.post(project + "/aggregate", Json.mapper().readTree(groupBody(0)));
        return List.of(
                server.post(project + "/query", Json.mapper().readTree(countBody(0)))
                        .at("/count/value")
                        .asString(),
                groups.path("items")
                        .valueStream()
                        .map(group -> "%s %s %s"
                                .formatted(
                                        group.at("/group/status").asString(),
                                        group.at("/values/count").asString(),
                                        plain(group.path("values")
                                                .path("sum(price)")
                                                .decimalValue())))
                        .sorted()
                        .toList()
                        .toString(),
                skus(server, twoConditionsBody(0)),
                skus(server, containsBody(0)));
    }

    /** The number without the zeros that one or the other writes at its end. */
    static String plain(BigDecimal number) {
        return number.stripTrailingZeros().toPlainString();
    }

    private String skus(ServerProcess server, String body) {
        return server.post(project + "/query", Json.mapper().readTree(body))
                .path("items")
                .valueStream()
                .map(item -> item.at("/values/sku").asString())
                .toList()
                .toString();
    }

    /** Sends a request in which {@code value} may be any number from 0. */
    private interface Sender {
        void send(RawHttp http, long value);
    }

    private static Request asIs(String work, Sender sender) {
        return new Request(work + SAME, (http, number) -> sender.send(http, 0));
    }

    private Request fresh(String work, Sender sender) {
        return new Request(work + ANOTHER, (http, number) -> sender.send(http, fresh.incrementAndGet()));
    }

    private void count(RawHttp http, long value) {
        http.send("POST", project + "/query", countBody(value));
    }

    private static String countBody(long value) {
        return query("{\"attr\":\"status\",\"op\":\"in\",\"value\":[\"active\",\"none %d\"]}".formatted(value), """
                ,"limit":1,"count":"exact\"""");
    }

    private void twoConditions(RawHttp http, long value) {
        http.send("POST", project + "/query", twoConditionsBody(value));
    }

    private static String twoConditionsBody(long value) {
        return query("""
                {"and":[{"attr":"status","value":"active"},{"attr":"price","op":"gte","value":%s}]}""".formatted(price(value)), """
                ,"sort":[{"attr":"price"}],"limit":20""");
    }

    /** A price that differs for each value. */
    static String price(long value) {
        return "%d.%09d".formatted(100 + value % 400, value);
    }

    private void contains(RawHttp http, long value) {
        http.send("POST", project + "/query", containsBody(value));
    }

    private static String containsBody(long value) {
        return query("""
                {"and":[{"attr":"title","op":"contains","value":"77"},{"attr":"sku","op":"ne","value":"none %d"}]}""".formatted(value), """
                ,"limit":20""");
    }

    private static String query(String where, String more) {
        return "{\"schema\":\"item\",\"where\":" + where + more + "}";
    }

    private void group(RawHttp http, long value) {
        http.send("POST", project + "/aggregate", groupBody(value));
    }

    private static String groupBody(long value) {
        return """
                {"schema":"item","groupBy":[{"attr":"status"}],"measures":[{"fn":"count"},{"fn":"sum","attr":"price"}]%s}""".formatted(
                value == 0 ? "" : ",\"where\":{\"attr\":\"price\",\"op\":\"gte\",\"value\":-%d}".formatted(value));
    }

    private void write(RawHttp http) {
        http.send("POST", project + "/records/item", "{\"status\":\"active\",\"price\":1}");
    }
}
