package io.hiroba.knowledge.search;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.ChunkLocation;
import io.hiroba.knowledge.DiscordId;
import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.SourceType;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.text.Passage.Piece;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The API of search. */
final class KnowledgeSearchRoutes implements Routes {

    private final Search search;

    KnowledgeSearchRoutes(Search search) {
        this.search = search;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post("/api/v1/knowledge/search", this::search);
    }

    private record SearchBody(
            String query,
            @Nullable String mode,
            @Nullable Integer limit,
            @Nullable FilterRequest filters,
            @Nullable Double threshold) {

        KnowledgeQuery query(SearchFilters narrowed) {
            return new KnowledgeQuery(
                    query,
                    mode == null
                            ? SearchMode.HYBRID
                            : SearchMode.of(mode)
                                    .orElseThrow(
                                            () -> KnowledgeProblem.invalid("mode", Text.of("knowledge.field.mode"))),
                    limit == null ? KnowledgeQuery.DEFAULT_LIMIT : limit,
                    narrowed,
                    threshold);
        }
    }

    /** The filters of a request. */
    record FilterRequest(
            @Nullable String sourceType,
            @Nullable String sourceId,
            @Nullable DiscordId channelId,
            @Nullable DiscordId userId,
            @Nullable Instant after,
            @Nullable Instant before,
            @Nullable String collectionId) {

        static FilterRequest of(SearchFilters filters) {
            return new FilterRequest(
                    filters.type() == null ? null : filters.type().text(),
                    filters.source() == null ? null : filters.source().hex(),
                    filters.channel() == null ? null : new DiscordId(filters.channel()),
                    filters.user() == null ? null : new DiscordId(filters.user()),
                    filters.after(),
                    filters.before(),
                    filters.collection() == null ? null : filters.collection().hex());
        }

        SearchFilters filters() {
            return new SearchFilters(
                    sourceType == null ? null : SourceType.parse("filters.sourceType", sourceType),
                    sourceId == null ? null : SourceId.parse(sourceId),
                    DiscordId.valueOf(channelId),
                    DiscordId.valueOf(userId),
                    after,
                    before,
                    collectionId == null ? null : CollectionId.parse(collectionId));
        }
    }

    private record HitView(
            String chunkId,
            String sourceId,
            String sourceTitle,
            SourceType sourceType,
            double score,
            List<Piece> snippet,
            String url,
            String label) {

        static HitView of(SearchHit hit, Language language) {
            return new HitView(
                    hit.chunk().hex(),
                    hit.source().hex(),
                    hit.sourceTitle(),
                    hit.sourceType(),
                    hit.score(),
                    hit.snippet(),
                    hit.url(),
                    ChunkLocation.text(hit.label()).in(language));
        }
    }

    private record Answer(
            List<HitView> items,
            boolean truncated,
            @Nullable String why,
            @Nullable String searchedFor) {}

    private void search(Context ctx) {
        var body = Body.json(ctx, SearchBody.class);
        var filters =
                body.filters() == null ? SearchFilters.NONE : body.filters().filters();
        var result = search.search(Caller.of(ctx), body.query(filters));
        var why = result.why();
        var language = RequestLanguage.of(ctx);
        ctx.json(new Answer(
                result.hits().stream().map(hit -> HitView.of(hit, language)).toList(),
                result.truncated(),
                why == null ? null : why.in(language),
                result.searchedFor()));
    }
}
