package io.hiroba.records;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.QueryParams;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.http.StreamedBody;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.problem.Problem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Bulk requests over HTTP: lines of JSON in, and a line for each out. A request is received as a whole before its first line is
 * written, so that a slow sender holds no lock, and one who reads the answer only after sending cannot be waited for for ever.
 */
final class RecordBulkRoutes implements Routes {

    private static final long MAX_SIZE = 256L << 20;
    private static final long MAX_LINES = 1_000_000;
    private static final int BATCH_SIZE = 500;

    /** The batches that a node has in memory and writes at a time; others wait. Nobody waits for a client that does not read its answer. */
    private static final int MAX_CONCURRENT = 4;

    private static final Duration MAX_WAIT = Duration.ofSeconds(10);

    /** The rest of a request that has begun is worth more patience. */
    private static final Duration MAX_WAIT_BETWEEN = Duration.ofSeconds(60);

    private static final Set<String> TYPES = Set.of("application/x-ndjson", "application/jsonl");

    private final Projects projects;
    private final BulkWriter writer;
    private final Path folder;
    private final Semaphore permits = new Semaphore(MAX_CONCURRENT, true);

    /** @param folder that of files on their way in, which is swept */
    RecordBulkRoutes(Projects projects, BulkWriter writer, Path folder) {
        this.projects = projects;
        this.writer = writer;
        this.folder = folder;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post("/api/v1/projects/{project}/records/{schema}/bulk", FormerNames.noting(this::write));
    }

    /** The last line of an answer: the sums, and why the rest was not written if so. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record EndView(
            boolean done,
            int created,
            int updated,
            int deleted,
            int refused,
            @Nullable String code,
            @Nullable String detail) {

        static EndView of(BulkAnswer sums, @Nullable Problem problem, Language language) {
            return new EndView(
                    problem == null,
                    sums.created(),
                    sums.updated(),
                    sums.deleted(),
                    sums.refused(),
                    problem == null ? null : problem.code(),
                    problem == null ? null : problem.detail().in(language));
        }
    }

    private void write(Context ctx) {
        var access = RecordRequests.access(projects, ctx).requireEditor();
        var type = ctx.contentType();
        if (type == null || !TYPES.contains(type.replaceFirst("\\s*;.*", ""))) {
            throw HttpProblem.unsupportedMediaType(TYPES.stream().sorted().toArray(String[]::new));
        }
        var params = QueryParams.of(ctx);
        var request = new BulkWriter.Request(
                RecordRequests.schema(ctx),
                params.flag("atomic"),
                params.text("upsertBy"),
                ctx.header("Idempotency-Key"),
                "POST " + ctx.path() + "?" + ctx.queryString(),
                RequestLanguage.of(ctx));
        int size = params.integer("batch", BATCH_SIZE, 1, RecordBatch.MAX_SIZE);
        writer.require(access, request);
        try {
            Files.createDirectories(folder);
            var file = Files.createTempFile(folder, "bulk", "");
            try {
                receive(ctx, file);
                try (var reader = new BulkReader(file, size)) {
                    write(ctx, access, request, reader);
                }
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void receive(Context ctx, Path file) throws IOException {
        if (ctx.req().getContentLengthLong() > MAX_SIZE) {
            throw RecordsProblem.bulkTooLarge(MAX_SIZE, MAX_LINES);
        }
        try (var out = Files.newOutputStream(file)) {
            var in = ctx.req().getInputStream();
            var buffer = new byte[64 * 1024];
            long bytes = 0;
            long lines = 0;
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                bytes += count;
                for (int i = 0; i < count; i++) {
                    lines += buffer[i] == '\n' ? 1 : 0;
                }
                if (bytes > MAX_SIZE || lines > MAX_LINES) {
                    throw RecordsProblem.bulkTooLarge(MAX_SIZE, MAX_LINES);
                }
                out.write(buffer, 0, count);
            }
        }
    }

    /** A written batch. */
    private record Written(BulkAnswer answer, boolean last) {}

    /** Reads and writes the next batch. Before it starts, whether the caller still may is asked. */
    private Written next(Supplier<ProjectAccess> access, BulkWriter.Request request, BulkReader reader, Duration wait)
            throws IOException {
        acquire(wait);
        try {
            var batch = reader.next();
            return new Written(writer.write(access.get(), request, batch), batch.last());
        } finally {
            permits.release();
        }
    }

    private void acquire(Duration wait) {
        try {
            if (!permits.tryAcquire(wait.toMillis(), TimeUnit.MILLISECONDS)) {
                throw RecordsProblem.bulkBusy();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw RecordsProblem.bulkBusy();
        }
    }

    /** The problem of a first batch is that of the request; after it, an answer is under way and its last line tells. */
    private void write(Context ctx, ProjectAccess access, BulkWriter.Request request, BulkReader reader)
            throws IOException {
        var first = next(() -> access, request, reader, MAX_WAIT);
        ctx.status(200).contentType("application/x-ndjson").header("Cache-Control", "no-store");
        FormerNames.tell(ctx);
        var caller = Caller.of(ctx);
        var project = access.project().id();
        StreamedBody.write(ctx, out -> {
            send(out, first.answer().lines());
            var sums = first.answer().plus(BulkAnswer.NOTHING);
            Problem problem = null;
            for (boolean last = first.last(); problem == null && !last; ) {
                try {
                    // Whoever is no member any more writes nothing more.
                    var written = next(
                            () -> projects.access(caller, project).requireEditor(), request, reader, MAX_WAIT_BETWEEN);
                    last = written.last();
                    send(out, written.answer().lines());
                    sums = sums.plus(written.answer());
                } catch (Problem e) {
                    problem = e;
                }
            }
            send(out, List.of(EndView.of(sums, problem, request.language())));
        });
    }

    private static void send(OutputStream out, List<?> lines) throws IOException {
        for (var line : lines) {
            out.write(Json.text(line).getBytes(StandardCharsets.UTF_8));
            out.write('\n');
        }
        out.flush();
    }
}
