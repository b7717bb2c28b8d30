package io.hiroba.records.pages;

import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
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
            Text about,
            Text state,
            boolean isReady,
            String reason,
            Text use,
            @Nullable Text effect,
            @Nullable String failure,
            boolean isOver) {

        static Item of(StoredIndex index, Indexes indexes, Reader reader) {
            var effect = index.effect();
            var usedAt = index.usedAt();
            var failure = index.failure();
            return new Item(
                    index.name(),
                    about(index, indexes),
                    Text.of("records.index-state." + index.state().name().toLowerCase(Locale.ROOT)),
                    index.state() == IndexState.READY,
                    reader.text(index.reason()),
                    usedAt == null
                            ? Text.of("records.index-use", "size", size(index.bytes()), "count", index.scans())
                            : Text.of(
                                    "records.index-use-last",
                                    "size",
                                    size(index.bytes()),
                                    "count",
                                    index.scans(),
                                    "when",
                                    reader.ago(usedAt)),
                    effect == null
                            ? null
                            : Text.of(
                                    "records.index-effect",
                                    "with",
                                    effect.indexMillis(),
                                    "without",
                                    effect.baselineMillis()),
                    failure == null ? null : reader.text(failure),
                    index.state() == IndexState.DROPPING);
        }

        private static Text about(StoredIndex index, Indexes indexes) {
            var schema = indexes.schemaName(index.tables(), index.schema());
            var order = indexes.attributeName(index.tables(), index.schema(), index.order());
            var equality = index.equality();
            return IndexPages.about(
                    schema,
                    order,
                    equality == null ? null : indexes.attributeName(index.tables(), index.schema(), equality));
        }

        private static Text size(long bytes) {
            return bytes < 1 << 20
                    ? Text.of("records.kilobytes", "count", (bytes + 1023) >> 10)
                    : Text.of("records.megabytes", "count", bytes >> 20);
        }
    }

    /** A suggested index with the names that create it. */
    public record ProposalItem(String schema, List<String> attributes, Text reason) {

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
            return new ProposalItem(proposal.schema().name(), names, proposal.reason());
        }

        public Text about() {
            return IndexPages.about(
                    schema, attributes.getLast(), attributes.size() == 1 ? null : attributes.getFirst());
        }
    }

    /** @param same the attribute whose values are the same within the order, if any */
    private static Text about(String schema, String order, @Nullable String same) {
        return same == null
                ? Text.of("records.index-by", "schema", schema, "attribute", order)
                : Text.of("records.index-by-within", "schema", schema, "attribute", order, "same", same);
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
            shell.seeOther(ctx, path(access), Text.of("records.index-queued"));
        } catch (Problem refusal) {
            showAgain(ctx, access, refusal);
        }
    }

    private void drop(Context ctx) {
        var access = context.project(ctx);
        try {
            indexes.drop(access, ctx.pathParam("name"));
            shell.seeOther(ctx, path(access), Text.of("records.index-dropped"));
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
        var reader = readers.reader(ctx);
        shell.page(
                ctx,
                Text.of("records.indexes"),
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
                                .map(index -> Item.of(index, indexes, reader))
                                .toList(),
                        "proposals",
                        overview.proposals().stream().map(ProposalItem::of).toList()));
    }

    private static String path(ProjectAccess access) {
        return RecordPaths.part(access.project().id(), "indexes");
    }
}
