package io.hiroba.bench.records;

import io.hiroba.bench.HttpBench.Request;
import io.hiroba.bench.PeerProcess;
import io.hiroba.bench.RawHttp;
import io.hiroba.platform.http.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import tools.jackson.databind.JsonNode;

/** The requests of {@link RecordRequests} as Directus understands them, in the same order. */
final class DirectusRequests {

    private static final String ITEMS = "/items/item?";

    private final AtomicLong fresh = new AtomicLong();

    List<Request> all() {
        var paths = List.<LongFunction<String>>of(
                DirectusRequests::count,
                DirectusRequests::group,
                DirectusRequests::twoConditions,
                DirectusRequests::contains);
        var requests = new ArrayList<Request>();
        for (int i = 0; i < paths.size(); i++) {
            var path = paths.get(i);
            var work = RecordRequests.WORK.get(i);
            requests.add(new Request(work + RecordRequests.SAME, (http, number) -> http.get(path.apply(0))));
            requests.add(new Request(
                    work + RecordRequests.ANOTHER, (http, number) -> http.get(path.apply(fresh.incrementAndGet()))));
        }
        requests.add(new Request(RecordRequests.WRITE, (http, number) -> write(http)));
        requests.add(new Request(RecordRequests.WRITE_THEN_GROUP, (http, number) -> {
            write(http);
            http.get(group(0));
        }));
        return requests;
    }

    private static String count(long value) {
        return ITEMS + "limit=1&meta=filter_count" + filter("""
                {"status":{"_in":["active","none %d"]}}""".formatted(value));
    }

    private static String group(long value) {
        return ITEMS + "aggregate[count]=*&aggregate[sum]=price&groupBy[]=status"
                + (value == 0 ? "" : filter("{\"price\":{\"_gte\":-%d}}".formatted(value)));
    }

    private static String twoConditions(long value) {
        return ITEMS + "limit=20&sort=price" + filter("""
                {"_and":[{"status":{"_eq":"active"}},{"price":{"_gte":%s}}]}""".formatted(RecordRequests.price(value)));
    }

    private static String contains(long value) {
        return ITEMS + "limit=20" + filter("""
                {"_and":[{"title":{"_contains":"77"}},{"sku":{"_neq":"none %d"}}]}""".formatted(value));
    }

    private static String filter(String json) {
        return "&filter=" + URLEncoder.encode(json, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static void write(RawHttp http) {
        http.send("POST", "/items/item", "{\"status\":\"active\",\"price\":1}");
    }

    /** The answers as {@link RecordRequests#sample} tells ours. */
    List<String> sample(int port, String token) {
        try (var http = HttpClient.newHttpClient()) {
            var groups = get(http, port, token, group(0));
            return List.of(
                    get(http, port, token, count(0)).at("/meta/filter_count").asString(),
                    groups.path("data")
                            .valueStream()
                            .map(group -> "%s %s %s"
                                    .formatted(
                                            group.path("status").asString(),
                                            group.path("count").asString(),
                                            RecordRequests.plain(new BigDecimal(
                                                    group.at("/sum/price").asString()))))
                            .sorted()
                            .toList()
                            .toString(),
                    skus(get(http, port, token, twoConditions(0))),
                    skus(get(http, port, token, contains(0))));
        }
    }

    private static String skus(JsonNode page) {
        return page.path("data")
                .valueStream()
                .map(item -> item.path("sku").asString())
                .toList()
                .toString();
    }

    private static JsonNode get(HttpClient http, int port, String token, String path) {
        var uri = PeerProcess.local(port, path.replace("[", "%5B").replace("]", "%5D"));
        var request = HttpRequest.newBuilder(uri)
                .header("Authorization", "Bearer " + token)
                .build();
        try {
            return Json.mapper()
                    .readTree(http.send(request, BodyHandlers.ofString()).body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
