package io.hiroba.bench.records;

import io.hiroba.bench.HttpBench.Request;
import io.hiroba.bench.RawHttp;
import io.hiroba.bench.ServerProcess;
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

    private static final long MAX_ROWS = 50_000;
    private static final int BATCH = 1000;
    private static final List<String> TYPES =
            List.of("text", "text", "text", "text", "numeric", "numeric", "numeric", "date", "bool", "jsonb");

    private final String project;
    private final AtomicLong fresh = new AtomicLong();

    private RecordRequests(String project) {
        this.project = project;
    }

    /** Makes a project with records on the server and returns the requests for them. */
    public static List<Request> prepare(ServerProcess server) {
        long rows = Math.min(MAX_ROWS, Long.getLong(RecordsBench.ROWS, MAX_ROWS));
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
        return new RecordRequests(path).all();
    }

    private List<Request> all() {
        return List.of(
                asIs("exact count of a status", this::count),
                fresh("exact count of a status", this::count),
                asIs("group by status with a sum", this::group),
                fresh("group by status with a sum", this::group),
                asIs("two conditions, sorted", this::twoConditions),
                fresh("two conditions, sorted", this::twoConditions),
                asIs("contains", this::contains),
                fresh("contains", this::contains),
                new Request("write one record", (http, number) -> write(http)),
                new Request("write one record, then group by status with a sum", (http, number) -> {
                    write(http);
                    group(http, 0);
                }));
    }

    /** Sends a request in which {@code value} may be any number from 0. */
    private interface Sender {
        void send(RawHttp http, long value);
    }

    private static Request asIs(String work, Sender sender) {
        return new Request(work + ", the same request", (http, number) -> sender.send(http, 0));
    }

    private Request fresh(String work, Sender sender) {
        return new Request(
                work + ", each another request", (http, number) -> sender.send(http, fresh.incrementAndGet()));
    }

    private void count(RawHttp http, long value) {
        query(http, "{\"attr\":\"status\",\"op\":\"in\",\"value\":[\"active\",\"none %d\"]}".formatted(value), "", """
                ,"limit":1,"count":"exact\"""");
    }

    private void twoConditions(RawHttp http, long value) {
        query(http, """
                {"and":[{"attr":"status","value":"active"},{"attr":"price","op":"gte","value":%d.%09d}]}""".formatted(100 + value % 400, value), """
                ,"sort":[{"attr":"price"}]""", "");
    }

    private void contains(RawHttp http, long value) {
        query(http, """
                {"and":[{"attr":"title","op":"contains","value":"77"},{"attr":"sku","op":"ne","value":"none %d"}]}""".formatted(value), "", "");
    }

    private void query(RawHttp http, String where, String sort, String more) {
        http.send("POST", project + "/query", "{\"schema\":\"item\",\"where\":" + where + sort + more + "}");
    }

    private void group(RawHttp http, long value) {
        http.send("POST", project + "/aggregate", """
                {"schema":"item","groupBy":[{"attr":"status"}],"measures":[{"fn":"count"},{"fn":"sum","attr":"price"}]%s}""".formatted(
                value == 0 ? "" : ",\"where\":{\"attr\":\"price\",\"op\":\"gte\",\"value\":-%d}".formatted(value)));
    }

    private void write(RawHttp http) {
        http.send("POST", project + "/records/item", "{\"status\":\"active\",\"price\":1}");
    }
}
