package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.tuning.IndexState;
import io.hiroba.records.tuning.Indexes;
import io.hiroba.records.tuning.StoredIndex;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The indexes of a project and the suggested ones. */
public final class IndexPages implements Routes {

    private final Shell shell;
    private final Readers readers;
    private final PageContext context;
    private final Indexes indexes;

    IndexPages(Shell shell, Readers readers, PageContext context, Indexes indexes) {
        this.shell = shell;
        this.readers = readers;
        this.context = context;
        this.indexes = indexes;
    }

    /**
     * An index of a project in a list.
     *
     * @param about the schema and attributes
     * @param effect the measured speedup
     */
    public record Item(
            String name,
            String about,
            String state,
            String stateClass,
            String reason,
            String use,
            @Nullable String effect,
            @Nullable String failure,
            boolean isOver) {

        static Item of(StoredIndex index, Indexes indexes, Reader clock) {
            var effect = index.effect();
            var usedAt = index.usedAt();
            var failure = index.failure();
            return new Item(
                    index.name(),
                    about(index, indexes),
                    switch (index.state()) {
                        case WANTED -> "queued";
                        case BUILDING -> "building";
                        case READY -> "ready";
                        case FAILED -> "failed";
                        case DROPPING -> "dropping";
                    },
                    index.state().name().toLowerCase(Locale.ROOT),
                    index.reason().toString(),
                    "%s, used %,d times%s"
                            .formatted(
                                    size(index.bytes()),
                                    index.scans(),
                                    usedAt == null ? "" : ", last " + clock.ago(usedAt)),
                    effect == null
                            ? null
                            : String.format(
                                    Locale.ROOT,
                                    "A page takes %.2f ms, and took %.2f ms without it.",
                                    effect.indexMillis(),
                                    effect.baselineMillis()),
                    failure == null ? null : failure.toString(),
                    index.state() == IndexState.DROPPING);
        }

        private static String about(StoredIndex index, Indexes indexes) {
            var schema = indexes.schemaName(index.tables(), index.schema());
            var order = indexes.attributeName(index.tables(), index.schema(), index.order());
            var equality = index.equality();
            return equality == null
                    ? schema + " by " + order
                    : "%s by %s where %s is the same"
                            .formatted(schema, order, indexes.attributeName(index.tables(), index.schema(), equality));
        }

        private static String size(long bytes) {
            if (bytes < 1 << 20) {
                return "%,d kB".formatted((bytes + 1023) >> 10);
            }
            return "%,d MB".formatted(bytes >> 20);
        }
    }

    /** A suggested index with the names that create it. */
    public record ProposalItem(String schema, List<String> attributes, String reason) {

        public ProposalItem {
            attributes = List.copyOf(attributes);
        }

        static ProposalItem of(Indexes.Proposal proposal) {
            var names = new ArrayList<String>();
            var equality = proposal.index().equality();
            if (equality != null) {
                names.add(equality.name());
            }
            names.add(proposal.index().order().name());
            return new ProposalItem(proposal.schema().name(), names, proposal.reason().toString());
        }

        public String about() {
            return attributes.size() == 1
                    ? schema + " by " + attributes.getFirst()
                    : "%s by %s where %s is the same".formatted(schema, attributes.getLast(), attributes.getFirst());
        }
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(RecordPaths.PROJECT + "/-/indexes", ctx -> show(ctx, context.project(ctx), Form.EMPTY));
        routes.post(RecordPaths.PROJECT + "/-/indexes", this::create);
        routes.post(RecordPaths.PROJECT + "/-/indexes/{name}/drop", this::drop);
    }

    private void create(Context ctx) {
        var access = context.project(ctx);
        try {
            var schema = Optional.ofNullable(ctx.formParam("schema")).orElse("");
            indexes.create(access, schema, ctx.formParams("attribute"));
            shell.seeOther(ctx, path(access), "Index queued.");
        } catch (Problem refusal) {
            showAgain(ctx, access, refusal);
        }
    }

    private void drop(Context ctx) {
        var access = context.project(ctx);
        try {
            indexes.drop(access, ctx.pathParam("name"));
            shell.seeOther(ctx, path(access), "Index is being dropped.");
        } catch (Problem refusal) {
            showAgain(ctx, access, refusal);
        }
    }

    private void showAgain(Context ctx, ProjectAccess access, Problem refusal) {
        if (!PageContext.belongsToForm(refusal)) {
            throw refusal;
        }
        shell.refused(ctx, refusal, path(access));
        show(ctx, access, Form.EMPTY.refused(refusal));
    }

    private void show(Context ctx, ProjectAccess access, Form form) {
        var overview = indexes.overview(access);
        var clock = readers.reader(ctx);
        shell.page(
                ctx,
                "Indexes",
                "records/indexes",
                Map.of(
                        "project",
                        ProjectHeader.of(access),
                        "form",
                        form,
                        "automatic",
                        access.project().autoIndex(),
                        "indexes",
                        overview.indexes().stream()
                                .map(index -> Item.of(index, indexes, clock))
                                .toList(),
                        "proposals",
                        overview.proposals().stream().map(ProposalItem::of).toList()));
    }

    private static String path(ProjectAccess access) {
        return RecordPaths.part(access.project().id(), "indexes");
    }
}
