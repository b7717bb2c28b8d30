package io.hiroba.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * A bucket service that keeps objects in memory, and none for those who do not sign. It has lists in small pages, folders, uploads in
 * parts, metadata and checksums, as Amazon's documentation describes them.
 */
public final class FakeS3 implements AutoCloseable {

    private static final int PAGE = 7;

    /** What is stored, by {@code /bucket/key}. */
    public final SortedMap<String, byte[]> objects = new ConcurrentSkipListMap<>();

    public final Map<String, String> contentTypes = new ConcurrentHashMap<>();

    /** The uploads in parts that were begun, by their ids: the path, and the parts by their numbers. */
    public final SortedMap<String, Upload> uploads = new ConcurrentSkipListMap<>();

    /** How many contents were sent, parts counted each. */
    public final AtomicInteger puts = new AtomicInteger();

    public volatile boolean broken;

    /** How many contents are taken before all others are refused. */
    public volatile int putsLeft = Integer.MAX_VALUE;

    private final Map<String, Map<String, String>> metadata = new ConcurrentHashMap<>();
    private final Map<String, Instant> times = new ConcurrentHashMap<>();
    private final AtomicInteger ids = new AtomicInteger();
    private final HttpServer server;
    private final String key;

    /** An upload in parts. */
    public record Upload(String path, Map<String, String> metadata, SortedMap<Integer, byte[]> parts) {}

    public FakeS3(String key) {
        this.key = key;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    public String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = exchange.getRequestBody().readAllBytes();
            if (broken) {
                error(exchange, 500, "InternalError");
            } else if (!isSigned(exchange)) {
                error(exchange, 403, "AccessDenied");
            } else if (!hasItsSum(exchange, body)) {
                error(exchange, 400, "BadDigest");
            } else {
                act(exchange, exchange.getRequestURI().getPath(), query(exchange), body);
            }
        }
    }

    private boolean isSigned(HttpExchange exchange) {
        var authorization = exchange.getRequestHeaders().getFirst("Authorization");
        return authorization != null
                && authorization.startsWith("AWS4-HMAC-SHA256 Credential=" + key + "/")
                && authorization.matches(".*Signature=[0-9a-f]{64}.*");
    }

    private static boolean hasItsSum(HttpExchange exchange, byte[] body) {
        var sum = exchange.getRequestHeaders().getFirst("Content-MD5");
        return sum == null || MessageDigest.isEqual(Base64.getDecoder().decode(sum), md5(body));
    }

    private static Map<String, String> query(HttpExchange exchange) {
        var found = new HashMap<String, String>();
        var query = exchange.getRequestURI().getRawQuery();
        for (var part : query == null ? new String[0] : query.split("&", -1)) {
            int equals = part.indexOf('=');
            found.put(
                    equals < 0 ? part : part.substring(0, equals),
                    equals < 0 ? "" : URLDecoder.decode(part.substring(equals + 1), UTF_8));
        }
        return found;
    }

    private void act(HttpExchange exchange, String path, Map<String, String> query, byte[] body) throws IOException {
        switch (exchange.getRequestMethod()) {
            case "PUT" -> put(exchange, path, query, body);
            case "GET" -> get(exchange, path, query);
            case "POST" -> post(exchange, path, query, body);
            case "DELETE" -> {
                if (query.containsKey("uploadId")) {
                    uploads.remove(query.get("uploadId"));
                } else {
                    objects.remove(path);
                }
                answer(exchange, 204, new byte[0]);
            }
            default -> answer(exchange, 405, new byte[0]);
        }
    }

    private void put(HttpExchange exchange, String path, Map<String, String> query, byte[] body) throws IOException {
        if (putsLeft-- <= 0) {
            putsLeft = 0;
            error(exchange, 403, "AccessDenied");
            return;
        }
        puts.incrementAndGet();
        if (query.containsKey("uploadId")) {
            var upload = uploads.get(query.get("uploadId"));
            if (upload == null || !upload.path().equals(path)) {
                error(exchange, 404, "NoSuchUpload");
                return;
            }
            upload.parts().put(Integer.valueOf(query.get("partNumber")), body);
        } else {
            store(path, body, metadata(exchange));
            contentTypes.put(path, String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type")));
        }
        exchange.getResponseHeaders().set("ETag", tag(body));
        answer(exchange, 200, new byte[0]);
    }

    private void store(String path, byte[] body, Map<String, String> more) {
        metadata.put(path, more);
        times.put(path, Instant.now());
        objects.put(path, body);
    }

    private static Map<String, String> metadata(HttpExchange exchange) {
        var found = new HashMap<String, String>();
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (name.toLowerCase(Locale.ROOT).startsWith("x-amz-meta-")) {
                found.put(name, values.getFirst());
            }
        });
        return found;
    }

    private void get(HttpExchange exchange, String path, Map<String, String> query) throws IOException {
        if (query.containsKey("list-type")) {
            list(exchange, path.replaceAll("/$", "") + "/", query);
        } else if (query.containsKey("uploads")) {
            listUploads(exchange, path.replaceAll("/$", "") + "/", query);
        } else if (query.containsKey("uploadId")) {
            listParts(exchange, query);
        } else if (!objects.containsKey(path)) {
            error(exchange, 404, "NoSuchKey");
        } else {
            metadata.getOrDefault(path, Map.of()).forEach(exchange.getResponseHeaders()::set);
            answer(exchange, 200, objects.get(path));
        }
    }

    private void list(HttpExchange exchange, String bucket, Map<String, String> query) throws IOException {
        var start = bucket + query.getOrDefault("prefix", "");
        var delimiter = query.getOrDefault("delimiter", "");
        var names = new TreeSet<String>();
        objects.keySet().stream().filter(path -> path.startsWith(start)).forEach(path -> {
            int end = delimiter.isEmpty() ? -1 : path.indexOf(delimiter, start.length());
            names.add(end < 0 ? path : path.substring(0, end + 1));
        });
        var after = query.get("continuation-token");
        var page = (after == null ? names : names.tailSet(after, false))
                .stream().limit(PAGE + 1L).toList();
        boolean hasMore = page.size() > PAGE;
        var xml = new StringBuilder("<ListBucketResult>");
        for (var name : hasMore ? page.subList(0, PAGE) : page) {
            var own = escaped(name.substring(bucket.length()));
            var content = objects.get(name);
            if (!delimiter.isEmpty() && name.endsWith(delimiter)) {
                xml.append("<CommonPrefixes><Prefix>%s</Prefix></CommonPrefixes>".formatted(own));
            } else if (content != null) {
                xml.append(
                        "<Contents><Key>%s</Key><LastModified>%s</LastModified><ETag>%s</ETag><Size>%d</Size></Contents>"
                                .formatted(own, times.getOrDefault(name, Instant.EPOCH), tag(content), content.length));
            }
        }
        xml.append("<IsTruncated>%s</IsTruncated>".formatted(hasMore));
        if (hasMore) {
            xml.append("<NextContinuationToken>%s</NextContinuationToken>".formatted(escaped(page.get(PAGE - 1))));
        }
        answer(exchange, 200, xml.append("</ListBucketResult>").toString().getBytes(UTF_8));
    }

    private void listUploads(HttpExchange exchange, String bucket, Map<String, String> query) throws IOException {
        var xml = new StringBuilder("<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>");
        uploads.forEach((id, upload) -> {
            if (upload.path().startsWith(bucket + query.getOrDefault("prefix", ""))) {
                xml.append("<Upload><Key>%s</Key><UploadId>%s</UploadId></Upload>"
                        .formatted(escaped(upload.path().substring(bucket.length())), id));
            }
        });
        answer(
                exchange,
                200,
                xml.append("</ListMultipartUploadsResult>").toString().getBytes(UTF_8));
    }

    private void listParts(HttpExchange exchange, Map<String, String> query) throws IOException {
        var upload = uploads.get(query.get("uploadId"));
        if (upload == null) {
            error(exchange, 404, "NoSuchUpload");
            return;
        }
        var xml = new StringBuilder("<ListPartsResult><IsTruncated>false</IsTruncated>");
        upload.parts()
                .forEach((number, part) ->
                        xml.append("<Part><PartNumber>%d</PartNumber><ETag>%s</ETag><Size>%d</Size></Part>"
                                .formatted(number, tag(part), part.length)));
        answer(exchange, 200, xml.append("</ListPartsResult>").toString().getBytes(UTF_8));
    }

    private void post(HttpExchange exchange, String path, Map<String, String> query, byte[] body) throws IOException {
        if (query.containsKey("uploads")) {
            var id = "upload-%05d".formatted(ids.incrementAndGet());
            uploads.put(id, new Upload(path, metadata(exchange), new TreeMap<>()));
            answer(
                    exchange,
                    200,
                    "<InitiateMultipartUploadResult><UploadId>%s</UploadId></InitiateMultipartUploadResult>"
                            .formatted(id)
                            .getBytes(UTF_8));
            return;
        }
        var upload = uploads.remove(query.getOrDefault("uploadId", ""));
        if (upload == null) {
            error(exchange, 404, "NoSuchUpload");
            return;
        }
        var named = Pattern.compile("<PartNumber>(\\d+)</PartNumber>")
                .matcher(new String(body, UTF_8))
                .results()
                .map(part -> Integer.valueOf(part.group(1)))
                .toList();
        if (!named.equals(List.copyOf(upload.parts().keySet()))) {
            error(exchange, 400, "InvalidPart");
            return;
        }
        var whole = new ByteArrayOutputStream();
        upload.parts().values().forEach(whole::writeBytes);
        store(path, whole.toByteArray(), upload.metadata());
        answer(
                exchange,
                200,
                "<CompleteMultipartUploadResult><ETag>\"x\"</ETag></CompleteMultipartUploadResult>".getBytes(UTF_8));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    private static String tag(byte[] content) {
        return '"' + HexFormat.of().formatHex(md5(content)) + '"';
    }

    private static byte[] md5(byte[] content) {
        try {
            return MessageDigest.getInstance("MD5").digest(content);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void error(HttpExchange exchange, int status, String code) throws IOException {
        answer(
                exchange,
                status,
                "<Error><Code>%s</Code></Error>".formatted(code).getBytes(UTF_8));
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
