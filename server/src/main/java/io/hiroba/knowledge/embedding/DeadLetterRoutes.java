package io.hiroba.knowledge.embedding;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.embedding.DeadLetters.Filter;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.QueryParams;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The API of the dead letter queue. */
final class DeadLetterRoutes implements Routes {

    private static final String PATH = "/api/v1/knowledge/dlq";
    private static final String ONE = PATH + "/{id}";

    private final DeadLetters letters;
    private final KeysetList<DeadLetter, DeadLetterId> list;

    DeadLetterRoutes(DeadLetters letters, Cursors cursors) {
        this.letters = letters;
        this.list = new KeysetList<>(
                cursors,
                "knowledge-dlq",
                cursor -> DeadLetterId.parse(cursor.text(0)),
                last -> Cursor.of(last.id().hex()));
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
            @Nullable String ownedBy,
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
                    origin.owner().value() == 0 ? null : origin.owner().hex(),
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
        var caller = Caller.of(ctx);
        boolean all = QueryParams.of(ctx, KnowledgeProblem::invalid).flag("all");
        var filter = filter(ctx);
        ctx.json(list.page(ctx, (after, limit) -> letters.list(caller, all, filter, after, limit))
                .map(DeadLetterView::of));
    }

    private void retry(Context ctx) {
        letters.retry(Caller.of(ctx), id(ctx));
        ctx.status(204);
    }

    private void retryAll(Context ctx) {
        ctx.json(new Retried(letters.retryAll(
                Caller.of(ctx), QueryParams.of(ctx, KnowledgeProblem::invalid).flag("all"), filter(ctx))));
    }

    private void delete(Context ctx) {
        letters.delete(Caller.of(ctx), id(ctx));
        ctx.status(204);
    }

    private static DeadLetterId id(Context ctx) {
        return DeadLetterId.parse(ctx.pathParam("id"));
    }

    private static Filter filter(Context ctx) {
        var source = ctx.queryParam("sourceId");
        return new Filter(source == null ? null : SourceId.parse(source), ctx.queryParam("errorCode"));
    }
}
