package io.hiroba.knowledge.embedding;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.embedding.DeadLetters.Filter;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The dead letter queue over HTTP. */
public final class DeadLetterRoutes implements Routes {

    private static final String PATH = "/api/v1/knowledge/dlq";
    private static final String ONE = PATH + "/{id}";
    private static final String LIST = "knowledge-dlq";

    private final DeadLetters letters;
    private final Cursors cursors;

    public DeadLetterRoutes(DeadLetters letters, Cursors cursors) {
        this.letters = letters;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::list);
        routes.post(PATH + "/retry-all", this::retryAll);
        routes.post(ONE + "/retry", this::retry);
        routes.delete(ONE, this::delete);
    }

    private record DeadLetterView(
            String id,
            String sourceId,
            String sourceTitle,
            String chunkId,
            String ownedBy,
            String content,
            String model,
            String errorCode,
            String errorMessage,
            int retryCount,
            Instant createdAt,
            @Nullable Instant lastRetryAt) {

        static DeadLetterView of(DeadLetter letter) {
            var origin = letter.origin();
            return new DeadLetterView(
                    letter.id().hex(),
                    origin.source().hex(),
                    origin.sourceTitle(),
                    origin.chunk().hex(),
                    origin.owner().hex(),
                    origin.content(),
                    letter.model().toString(),
                    letter.errorCode(),
                    letter.errorMessage(),
                    letter.retries(),
                    letter.createdAt(),
                    letter.lastRetryAt());
        }
    }

    private record Retried(int retried) {}

    private void list(Context ctx) {
        var request = PageRequest.of(ctx, 20, 100);
        long before = cursors.read(LIST, request)
                .map(cursor -> DeadLetterId.parse(cursor.text(0)).value())
                .orElse(Long.MAX_VALUE);
        var found = letters.list(Caller.of(ctx), everybodys(ctx), filter(ctx), before, request.limit() + 1);
        ctx.json(Page.of(
                        found,
                        request.limit(),
                        last -> cursors.write(LIST, Cursor.of(last.id().hex())))
                .map(DeadLetterView::of));
    }

    private void retry(Context ctx) {
        letters.retry(Caller.of(ctx), id(ctx));
        ctx.status(204);
    }

    private void retryAll(Context ctx) {
        ctx.json(new Retried(letters.retryAll(Caller.of(ctx), everybodys(ctx), filter(ctx))));
    }

    private void delete(Context ctx) {
        letters.delete(Caller.of(ctx), id(ctx));
        ctx.status(204);
    }

    private static DeadLetterId id(Context ctx) {
        return DeadLetterId.parse(ctx.pathParam("id"));
    }

    private static boolean everybodys(Context ctx) {
        return switch (ctx.queryParam("all")) {
            case null -> false;
            case "false" -> false;
            case "true" -> true;
            default -> throw KnowledgeProblem.invalid("all", "must be true or false");
        };
    }

    private static Filter filter(Context ctx) {
        var source = ctx.queryParam("sourceId");
        return new Filter(source == null ? null : SourceId.parse(source), ctx.queryParam("errorCode"));
    }
}
