package io.hiroba.knowledge.embedding;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import io.hiroba.knowledge.embedding.SpaceStore.SpaceProgress;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Language;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The API of embedding spaces and their progress, for admins. */
final class SpaceRoutes implements Routes {

    private final Db db;
    private final EmbeddingWorker worker;
    private final SpaceStore store = new SpaceStore();

    SpaceRoutes(Db db, EmbeddingWorker worker) {
        this.db = db;
        this.worker = worker;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/knowledge/spaces", this::list);
    }

    private record SpaceView(
            int id,
            String provider,
            String model,
            int dimensions,
            String state,
            Progress progress,
            @Nullable BreakerView breaker,
            Instant createdAt,
            @Nullable Instant activatedAt) {}

    private record Progress(long chunks, long embedded, long waiting, long dead) {}

    private record BreakerView(
            String state,
            @Nullable String errorCode,
            @Nullable String errorMessage,
            long restMs) {

        static BreakerView of(ProviderBreaker breaker, Language language) {
            return new BreakerView(
                    breaker.state().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                    breaker.fault().map(Fault::name).orElse(null),
                    breaker.fault().map(fault -> fault.message().in(language)).orElse(null),
                    breaker.pause().toMillis());
        }
    }

    private record EmbeddingSpaces(List<SpaceView> items) {}

    private void list(Context ctx) {
        Caller.of(ctx).requireAdmin();
        var language = RequestLanguage.of(ctx);
        ctx.json(new EmbeddingSpaces(db.read(store::reports).stream()
                .map(report -> view(report, language))
                .toList()));
    }

    private SpaceView view(SpaceProgress report, Language language) {
        var space = report.space();
        Optional<BreakerView> breaker = worker.breaker(space).map(each -> BreakerView.of(each, language));
        return new SpaceView(
                space.id(),
                space.model().provider(),
                space.model().name(),
                space.model().dimensions(),
                space.state().name().toLowerCase(Locale.ROOT),
                new Progress(report.chunks(), report.embedded(), report.waiting(), report.dead()),
                breaker.orElse(null),
                report.createdAt(),
                report.activatedAt());
    }
}
