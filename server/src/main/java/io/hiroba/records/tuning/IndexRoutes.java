package io.hiroba.records.tuning;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.FormerNames;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectId;
import io.hiroba.records.ProjectTables;
import io.hiroba.records.Projects;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The indexes of a project over HTTP, for its owners. */
final class IndexRoutes implements Routes {

    private static final String PATH = "/api/v1/projects/{project}/indexes";

    private final Projects projects;
    private final Indexes indexes;
    private final Idempotency idempotency;

    IndexRoutes(Projects projects, Indexes indexes, Idempotency idempotency) {
        this.projects = projects;
        this.indexes = indexes;
        this.idempotency = idempotency;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, FormerNames.noting(this::overview));
        routes.post(PATH, FormerNames.noting(this::create));
        routes.delete(PATH + "/{name}", FormerNames.noting(this::drop));
    }

    private record EffectView(double walkMillis, double indexMillis, String text) {

        static EffectView of(StoredIndex.Effect effect, Language language) {
            return new EffectView(
                    effect.baselineMillis(),
                    effect.indexMillis(),
                    Text.of(
                                    "records.query.index-effect",
                                    "before",
                                    millis(effect.baselineMillis()),
                                    "after",
                                    millis(effect.indexMillis()))
                            .in(language));
        }

        private static String millis(double millis) {
            return String.format(Locale.ROOT, "%.2f", millis);
        }
    }

    private record IndexView(
            String name,
            String schema,
            List<String> attributes,
            String state,
            String reason,
            boolean automatic,
            Instant askedAt,
            @Nullable Instant since,
            @Nullable String failure,
            long bytes,
            long scans,
            @Nullable Instant lastUsedAt,
            @Nullable EffectView effect) {}

    private record ProposalView(String schema, List<String> attributes, long uses, String reason, boolean automatic) {}

    private record OverviewView(
            boolean autoIndex, int mostPerSchema, List<IndexView> indexes, List<ProposalView> proposals) {}

    private record Create(String schema, List<String> attributes) {}

    private void overview(Context ctx) {
        var access = access(ctx);
        var overview = indexes.overview(access);
        var language = RequestLanguage.of(ctx);
        ctx.json(new OverviewView(
                access.project().autoIndex(),
                Indexes.MAX_PER_SCHEMA,
                overview.indexes().stream().map(index -> view(index, language)).toList(),
                overview.proposals().stream()
                        .map(proposal -> view(access, proposal, language))
                        .toList()));
    }

    private void create(Context ctx) {
        var access = access(ctx);
        var requested = Body.json(ctx, Create.class);
        var language = RequestLanguage.of(ctx);
        idempotency.run(ctx, access.user().hex(), tx -> {
            var index = indexes.create(tx, access, requested.schema(), requested.attributes());
            return new Answer(202, Map.of(), Json.text(view(index, language)));
        });
    }

    private void drop(Context ctx) {
        indexes.drop(access(ctx), ctx.pathParam("name"));
        ctx.status(204);
    }

    private ProjectAccess access(Context ctx) {
        return projects.access(Caller.of(ctx), ProjectId.parse(ctx.pathParam("project")));
    }

    private IndexView view(StoredIndex index, Language language) {
        var effect = index.effect();
        var failure = index.failure();
        return new IndexView(
                index.name(),
                indexes.schemaName(index.tables(), index.schema()),
                attributes(index.tables(), index),
                index.state().name().toLowerCase(Locale.ROOT),
                index.reason().in(language),
                index.askedBy() == null,
                index.askedAt(),
                index.readyAt(),
                failure == null ? null : failure.in(language),
                index.bytes(),
                index.scans(),
                index.usedAt(),
                effect == null ? null : EffectView.of(effect, language));
    }

    private List<String> attributes(ProjectTables tables, StoredIndex index) {
        var names = new ArrayList<String>();
        if (index.equality() != null) {
            names.add(indexes.attributeName(tables, index.schema(), index.equality()));
        }
        names.add(indexes.attributeName(tables, index.schema(), index.order()));
        return names;
    }

    private static ProposalView view(ProjectAccess access, Indexes.Proposal proposal, Language language) {
        var names = new ArrayList<String>();
        var equality = proposal.index().equality();
        if (equality != null) {
            names.add(equality.name());
        }
        names.add(proposal.index().order().name());
        boolean automatic = access.project().autoIndex() && proposal.uses() >= AutoIndexer.MIN_USES;
        return new ProposalView(
                proposal.schema().name(),
                names,
                proposal.uses(),
                proposal.reason().in(language),
                automatic);
    }
}
