package io.hiroba.records.pages;

import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.AccessRules.WriteKind;
import io.hiroba.records.ConflictRetry;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RecordView;
import io.hiroba.records.Records;
import io.hiroba.records.RecordsProblem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The page of a record: created and edited by a form that its schema defines. */
public final class RecordPages implements Routes {

    private final Shell shell;
    private final Readers readers;
    private final PageContext context;
    private final RecordTitles titles;
    private final Records records;
    private final Users users;
    private final Idempotency idempotency;

    RecordPages(
            Shell shell,
            Readers readers,
            PageContext context,
            RecordTitles titles,
            Records records,
            Users users,
            Idempotency idempotency) {
        this.shell = shell;
        this.readers = readers;
        this.context = context;
        this.titles = titles;
        this.records = records;
        this.users = users;
        this.idempotency = idempotency;
    }

    /**
     * A form of an existing or new record.
     *
     * @param path the path of the record; empty for a new one
     * @param about who created and changed it
     * @param cells the values for readers who may not change it
     * @param problem the error of the whole form
     * @param mayEdit whether the reader may change it
     * @param seeAs the one as whom an owner sees it
     */
    public record View(
            ProjectHeader project,
            String schema,
            String schemaPath,
            String path,
            String title,
            @Nullable String about,
            int version,
            List<FormField> fields,
            List<Cell> cells,
            @Nullable String problem,
            boolean mayEdit,
            boolean mayDelete,
            @Nullable SeeAsBanner seeAs) {

        public View {
            fields = List.copyOf(fields);
            cells = List.copyOf(cells);
        }

        /** The idempotency key of a form for a new record. */
        public String key() {
            return UUID.randomUUID().toString();
        }

        public boolean isNew() {
            return path.isEmpty();
        }
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(RecordPaths.SCHEMA + "/new", ctx -> {
            var access = context.project(ctx).requireEditor();
            var recordAccess = context.schema(ctx, access).require(WriteKind.CREATE);
            fresh(ctx, access, recordAccess, form(ctx, access, recordAccess));
        });
        routes.post(RecordPaths.SCHEMA + "/new", this::create);
        routes.get(RecordPaths.RECORD, ctx -> {
            var access = context.seen(ctx);
            var recordAccess = context.schema(ctx, access);
            show(ctx, access, recordAccess, form(ctx, access, recordAccess), get(ctx, access, recordAccess));
        });
        routes.post(RecordPaths.RECORD, this::save);
    }

    private void create(Context ctx) {
        var access = context.project(ctx).requireEditor();
        var recordAccess = context.schema(ctx, access);
        if (context.isTooLarge(ctx)) {
            ctx.status(413);
            fresh(ctx, access, recordAccess, form(ctx, access, recordAccess).withProblem(tooLarge()));
            return;
        }
        var form = form(ctx, access, recordAccess).read(ctx);
        var values = form.values();
        if (form.hasErrors()) {
            ctx.status(422);
            fresh(ctx, access, recordAccess, form);
            return;
        }
        try {
            var path = path(access, recordAccess);
            var created = created(ctx, access, recordAccess, values);
            if (ctx.formParam("again") != null) {
                shell.seeOther(ctx, path + "/new", Text.of("records.record-created-another"));
            } else {
                shell.seeOther(
                        ctx, created.headers().getOrDefault("Location", path), Text.of("records.record-created"));
            }
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, path(access, recordAccess) + "/new");
            fresh(ctx, access, recordAccess, form.refused(refusal));
        }
    }

    /** Idempotent: a double click creates one record. */
    private Answer created(Context ctx, ProjectAccess access, RecordAccess recordAccess, ObjectNode values) {
        var key = Optional.ofNullable(ctx.formParam("key")).orElse("");
        return ConflictRetry.run(prechecked -> idempotency.once(
                ctx, access.user().hex(), key, values.toString().getBytes(StandardCharsets.UTF_8), tx -> {
                    var view = records.create(tx, access, recordAccess.schema().name(), values, prechecked);
                    return Answer.created(path(access, recordAccess) + "/" + view.id(), Map.of("id", view.id()));
                }));
    }

    private void save(Context ctx) {
        var access = context.project(ctx).requireEditor();
        var recordAccess = context.schema(ctx, access);
        var before = get(ctx, access, recordAccess);
        if (context.isTooLarge(ctx)) {
            ctx.status(413);
            show(ctx, access, recordAccess, form(ctx, access, recordAccess).withProblem(tooLarge()), before);
            return;
        }
        var form = form(ctx, access, recordAccess).read(ctx);
        var changes = form.changes(before);
        var path = path(access, recordAccess) + "/" + before.id();
        if (form.hasErrors()) {
            ctx.status(422);
            show(ctx, access, recordAccess, form, before);
            return;
        }
        int version = version(ctx, before);
        try {
            if (version != before.version()) {
                throw RecordsProblem.otherVersion(before.version());
            }
            records.patch(access, recordAccess.schema().name(), PageContext.row(ctx), changes, version);
            shell.seeOther(
                    ctx, path, changes.isEmpty() ? Text.of("records.record-unchanged") : Text.of("records.saved"));
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, path);
            if (refusal.kind() == Problem.Kind.PRECONDITION_FAILED) {
                conflicted(ctx, access, recordAccess, form);
            } else {
                show(ctx, access, recordAccess, form.refused(refusal), before);
            }
        }
    }

    private Text tooLarge() {
        return Text.of("records.form-too-large", "size", context.largestForm());
    }

    /** Shows the typed values beside the newer ones; saving again overwrites them. */
    private void conflicted(Context ctx, ProjectAccess access, RecordAccess recordAccess, RecordForm form) {
        var newer = get(ctx, access, recordAccess);
        var by = nickname(newer.updatedBy());
        var problem = by == null
                ? Text.of("records.record-conflict-deleted")
                : Text.of("records.record-conflict", "name", by);
        page(ctx, access, recordAccess, newer, form.fieldsBeside(newer), shell.text(ctx, problem));
    }

    private void fresh(Context ctx, ProjectAccess access, RecordAccess recordAccess, RecordForm form) {
        var schema = recordAccess.schema().label();
        var view = new View(
                ProjectHeader.of(access),
                schema,
                path(access, recordAccess),
                "",
                shell.text(ctx, Text.of("records.record-new", "schema", schema)),
                null,
                0,
                form.fields(),
                List.of(),
                form.problem(),
                true,
                false,
                null);
        shell.page(ctx, Text.verbatim(view.title()), "records/record", Map.of("view", view));
    }

    private void show(
            Context ctx, ProjectAccess access, RecordAccess recordAccess, RecordForm form, RecordView record) {
        page(ctx, access, recordAccess, record, form.fields(record), form.problem());
    }

    private void page(
            Context ctx,
            ProjectAccess access,
            RecordAccess recordAccess,
            RecordView record,
            List<FormField> fields,
            @Nullable String problem) {
        var cells = new CellFormatter(readers.reader(ctx), context::person)
                .of(access.project().id());
        var head = ProjectHeader.of(access);
        var view = new View(
                head,
                recordAccess.schema().label(),
                path(access, recordAccess) + SeeAsBanner.query(access),
                path(access, recordAccess) + "/" + record.id(),
                RecordTitles.of(recordAccess, record),
                about(ctx, record),
                record.version(),
                head.mayEdit() ? fields : List.of(),
                recordAccess.shown().stream()
                        .map(each -> each.references() == null
                                ? cells.whole(each, record.values().get(each.name()))
                                : titles.cell(access, each, record.values().get(each.name())))
                        .toList(),
                problem,
                head.mayEdit() && recordAccess.may(WriteKind.UPDATE),
                head.mayEdit() && recordAccess.may(WriteKind.DELETE),
                SeeAsBanner.of(context, access, path(access, recordAccess) + "/" + record.id()));
        shell.page(ctx, Text.verbatim(view.title()), "records/record", Map.of("view", view));
    }

    private String about(Context ctx, RecordView record) {
        var reader = readers.reader(ctx);
        var created = reader.ago(record.createdAt());
        var creator = name(record.createdBy());
        return record.version() == 1
                ? reader.text("records.record-about", "created", created, "creator", creator)
                : reader.text(
                        "records.record-about-changed",
                        "created",
                        created,
                        "creator",
                        creator,
                        "changed",
                        reader.ago(record.updatedAt()),
                        "changer",
                        name(record.updatedBy()),
                        "version",
                        Integer.toString(record.version()));
    }

    private Text name(String user) {
        var nickname = nickname(user);
        return nickname == null ? Text.of("records.record-by-deleted") : Text.verbatim(nickname);
    }

    private @Nullable String nickname(String user) {
        return users.find(UserId.parse(user))
                .map(profile -> profile.user().nickname().value())
                .orElse(null);
    }

    private RecordForm form(Context ctx, ProjectAccess access, RecordAccess recordAccess) {
        return new RecordForm(access, recordAccess, titles, readers.reader(ctx));
    }

    private RecordView get(Context ctx, ProjectAccess access, RecordAccess recordAccess) {
        return records.get(access, recordAccess.schema().name(), PageContext.row(ctx));
    }

    /** The version that the form was rendered from. */
    static int version(Context ctx, RecordView otherwise) {
        var text = ctx.formParam("version");
        return text != null && text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : otherwise.version();
    }

    private static String path(ProjectAccess access, RecordAccess recordAccess) {
        return RecordPaths.schema(access.project().id(), recordAccess.schema().name());
    }
}
