package io.hiroba.records.pages;

import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.Access;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.data.Contention;
import io.hiroba.records.data.RecordView;
import io.hiroba.records.data.Records;
import io.hiroba.records.schema.Sight;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** One record: read, made and changed by a form that its schema makes. */
public final class RecordPages implements Routes {

    private final Shell shell;
    private final Times times;
    private final Entrance entrance;
    private final Titles titles;
    private final Records records;
    private final Users users;
    private final Idempotency idempotency;

    public RecordPages(
            Shell shell,
            Times times,
            Entrance entrance,
            Titles titles,
            Records records,
            Users users,
            Idempotency idempotency) {
        this.shell = shell;
        this.times = times;
        this.entrance = entrance;
        this.titles = titles;
        this.records = records;
        this.users = users;
        this.idempotency = idempotency;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(Paths.SCHEMA + "/new", ctx -> {
            var access = entrance.project(ctx).requireEditor();
            var sight = entrance.schema(ctx, access);
            fresh(ctx, access, sight, form(ctx, access, sight));
        });
        routes.post(Paths.SCHEMA + "/new", this::create);
        routes.get(Paths.RECORD, ctx -> {
            var access = entrance.project(ctx);
            var sight = entrance.schema(ctx, access);
            show(ctx, access, sight, form(ctx, access, sight), get(ctx, access, sight));
        });
        routes.post(Paths.RECORD, this::save);
    }

    private void create(Context ctx) {
        var access = entrance.project(ctx).requireEditor();
        var sight = entrance.schema(ctx, access);
        if (entrance.isTooLarge(ctx)) {
            ctx.status(413);
            fresh(ctx, access, sight, form(ctx, access, sight).withProblem(tooLarge()));
            return;
        }
        var form = form(ctx, access, sight).read(ctx);
        var values = form.values();
        if (form.hasErrors()) {
            ctx.status(422);
            fresh(ctx, access, sight, form);
            return;
        }
        try {
            var path = path(access, sight);
            var made = made(ctx, access, sight, values);
            if (ctx.formParam("again") != null) {
                shell.seeOther(ctx, path + "/new", "The record is there. Here is room for another.");
            } else {
                shell.seeOther(ctx, made.headers().getOrDefault("Location", path), "The record is there.");
            }
        } catch (Problem refusal) {
            if (!Entrance.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, path(access, sight) + "/new");
            fresh(ctx, access, sight, form.refused(refusal));
        }
    }

    /** A form that is sent twice, as by a double click, makes one record. */
    private Answer made(Context ctx, Access access, Sight sight, ObjectNode values) {
        var key = Optional.ofNullable(ctx.formParam("key")).orElse("");
        return Contention.settled(careful -> idempotency.once(
                ctx, access.user().hex(), key, values.toString().getBytes(StandardCharsets.UTF_8), tx -> {
                    var view = records.create(tx, access, sight.schema().name(), values, careful);
                    return Answer.created(path(access, sight) + "/" + view.id(), Map.of("id", view.id()));
                }));
    }

    private void save(Context ctx) {
        var access = entrance.project(ctx).requireEditor();
        var sight = entrance.schema(ctx, access);
        var before = get(ctx, access, sight);
        if (entrance.isTooLarge(ctx)) {
            ctx.status(413);
            show(ctx, access, sight, form(ctx, access, sight).withProblem(tooLarge()), before);
            return;
        }
        var form = form(ctx, access, sight).read(ctx);
        var changes = form.changes(before);
        var path = path(access, sight) + "/" + before.id();
        if (form.hasErrors()) {
            ctx.status(422);
            show(ctx, access, sight, form, before);
            return;
        }
        int version = version(ctx, before);
        try {
            if (version != before.version()) {
                throw RecordsProblem.otherVersion(before.version());
            }
            records.patch(access, sight.schema().name(), Entrance.row(ctx), changes, version);
            shell.seeOther(ctx, path, changes.isEmpty() ? "Nothing was changed." : "Saved.");
        } catch (Problem refusal) {
            if (!Entrance.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, path);
            if (refusal.kind() == Problem.Kind.PRECONDITION_FAILED) {
                conflicted(ctx, access, sight, form);
            } else {
                show(ctx, access, sight, form.refused(refusal), before);
            }
        }
    }

    private String tooLarge() {
        return "That was too much: a form brings up to %s.".formatted(entrance.largestForm());
    }

    /** What was typed stays, beside what others wrote; saving once more writes it over theirs. */
    private void conflicted(Context ctx, Access access, Sight sight, RecordForm form) {
        var newer = get(ctx, access, sight);
        var by = nickname(newer.updatedBy());
        var problem = "%s changed this record in the meantime. Look at what differs: saving again writes yours over it."
                .formatted(by == null ? "Somebody" : by);
        page(ctx, access, sight, newer, form.fieldsBeside(newer), problem);
    }

    private void fresh(Context ctx, Access access, Sight sight, RecordForm form) {
        var schema = sight.schema().name();
        var sheet = new RecordSheet(
                ProjectHead.of(access),
                schema,
                path(access, sight),
                "",
                "New " + schema,
                null,
                0,
                form.fields(),
                List.of(),
                form.problem());
        shell.page(ctx, sheet.title(), "records/record", Map.of("sheet", sheet));
    }

    private void show(Context ctx, Access access, Sight sight, RecordForm form, RecordView record) {
        page(ctx, access, sight, record, form.fields(record), form.problem());
    }

    private void page(
            Context ctx, Access access, Sight sight, RecordView record, List<Field> fields, @Nullable String problem) {
        var cells = new Cells(times.moments(ctx));
        var head = ProjectHead.of(access);
        var sheet = new RecordSheet(
                head,
                sight.schema().name(),
                path(access, sight),
                path(access, sight) + "/" + record.id(),
                Titles.of(sight, record),
                about(ctx, record),
                record.version(),
                head.mayEdit() ? fields : List.of(),
                sight.shown().stream()
                        .map(each -> each.references() == null
                                ? cells.of(each, record.values().get(each.name()))
                                : titles.cell(access, each, record.values().get(each.name())))
                        .toList(),
                problem);
        shell.page(ctx, sheet.title(), "records/record", Map.of("sheet", sheet));
    }

    private String about(Context ctx, RecordView record) {
        var when = times.when(ctx);
        var by = nickname(record.createdBy());
        var made = "Made %s%s".formatted(when.ago(record.createdAt()), by == null ? "" : " by " + by);
        if (record.version() == 1) {
            return made + ".";
        }
        var changer = nickname(record.updatedBy());
        return "%s, changed %s%s. Version %d."
                .formatted(
                        made, when.ago(record.updatedAt()), changer == null ? "" : " by " + changer, record.version());
    }

    private @Nullable String nickname(String user) {
        return users.find(UserId.parse(user))
                .map(profile -> profile.user().nickname().value())
                .orElse(null);
    }

    private RecordForm form(Context ctx, Access access, Sight sight) {
        return new RecordForm(access, sight, titles, times.moments(ctx));
    }

    private RecordView get(Context ctx, Access access, Sight sight) {
        return records.get(access, sight.schema().name(), Entrance.row(ctx));
    }

    /** The version that the form was made from. */
    static int version(Context ctx, RecordView otherwise) {
        var text = ctx.formParam("version");
        return text != null && text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : otherwise.version();
    }

    private static String path(Access access, Sight sight) {
        return Paths.schema(access.project().id(), sight.schema().name());
    }
}
