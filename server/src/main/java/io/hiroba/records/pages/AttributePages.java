package io.hiroba.records.pages;

import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.AttributeChange;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.RemovedAttributes;
import io.hiroba.records.Retypes;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.SchemaChanges;
import io.hiroba.records.SchemaNames;
import io.hiroba.records.Schemas;
import io.hiroba.records.SelectOption;
import io.hiroba.records.ValueFormat;
import io.hiroba.records.ValueType;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The page of an attribute, where it is changed. */
public final class AttributePages implements Routes {

    static final String ATTRIBUTE = RecordPaths.SCHEMA + "/schema/attributes/{attribute}";

    private final Shell shell;
    private final Readers readers;
    private final PageContext context;
    private final Schemas schemas;
    private final SchemaChanges changes;
    private final RemovedAttributes removed;
    private final Retypes retypes;

    AttributePages(
            Shell shell,
            Readers readers,
            PageContext context,
            Schemas schemas,
            SchemaChanges changes,
            RemovedAttributes removed,
            Retypes retypes) {
        this.shell = shell;
        this.readers = readers;
        this.context = context;
        this.schemas = schemas;
        this.changes = changes;
        this.removed = removed;
        this.retypes = retypes;
    }

    /** An attribute that was removed and can be restored until that day. */
    public record RemovedAttribute(String id, String name, String until) {

        static List<RemovedAttribute> of(Schema schema, Reader reader) {
            return schema.removed().stream()
                    // One whose type was changed is restored by undoing that.
                    .filter(each -> !schema.isReplaced(each.attribute()))
                    .map(each -> new RemovedAttribute(
                            String.valueOf(each.attribute().id()),
                            each.attribute().label(),
                            reader.date(each.until())))
                    .toList();
        }
    }

    /** A former name and the day until which it works. */
    public record FormerName(String name, String until) {

        static List<FormerName> of(Schema schema, @Nullable Short attribute, Reader reader) {
            return schema.former().stream()
                    .filter(former -> Objects.equals(former.attribute(), attribute) && !SchemaNames.isId(former.name()))
                    .map(former -> new FormerName(former.name(), reader.date(former.until())))
                    .toList();
        }
    }

    /**
     * An attribute on its page.
     *
     * @param label the name that the reader sees
     * @param asksReuse whether the name that was typed is a former one of something else
     * @param without the path of the records that lack it
     * @param mayBeUnique whether values of its type are compared
     * @param mayHaveOptions whether values may be chosen of options
     * @param formats those of its type; none if its values are chosen
     * @param count how many records have a value
     * @param computed the way in which its values are computed; null if they are written
     * @param typeState its type, and what becomes of it
     */
    public record View(
            ProjectHeader project,
            String schema,
            String schemaPath,
            String id,
            String label,
            String type,
            List<FormerName> former,
            boolean asksReuse,
            String without,
            boolean mayBeUnique,
            boolean mayHaveOptions,
            List<SelectOption> options,
            List<Filter.Choice> formats,
            long count,
            @Nullable ComputedState computed,
            TypeState typeState) {

        public View {
            options = List.copyOf(options);
            formats = List.copyOf(formats);
            former = List.copyOf(former);
        }

        public String path() {
            return schemaPath + "/schema/attributes/" + id;
        }
    }

    /**
     * The type of an attribute.
     *
     * @param undoUntil the day until which its last change can be undone; null if it cannot
     * @param running the path of the change that is under way in the schema; null for none
     */
    public record TypeState(
            String type,
            @Nullable String undoUntil,
            @Nullable String running) {}

    /** An attribute that an owner changes. */
    record Place(ProjectAccess access, RecordAccess recordAccess, SchemaAttribute attribute) {

        String schema() {
            return String.valueOf(recordAccess.schema().id());
        }

        String schemaPath() {
            return RecordPaths.schema(
                    access.project().id(), recordAccess.schema().name());
        }

        String path() {
            return schemaPath() + "/schema/attributes/" + attribute.id();
        }
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(ATTRIBUTE, ctx -> {
            var place = place(ctx);
            show(ctx, place, named(place.attribute()), null);
        });
        routes.post(ATTRIBUTE, this::rename);
        routes.post(ATTRIBUTE + "/constraints", this::constrain);
        routes.post(ATTRIBUTE + "/format", this::format);
        routes.post(ATTRIBUTE + "/move", this::move);
        routes.post(ATTRIBUTE + "/remove", this::remove);
        routes.post(ATTRIBUTE + "/restore", this::restore);
    }

    Place place(Context ctx) {
        var access = context.project(ctx).requireOwner();
        var recordAccess = context.schema(ctx, access);
        var name = ctx.pathParam("attribute");
        return new Place(
                access, recordAccess, recordAccess.attribute(name).orElseThrow(() -> RecordsProblem.noAttribute(name)));
    }

    private void rename(Context ctx) {
        var place = place(ctx);
        var form = Form.of(ctx, "name", "title");
        change(ctx, place, form, change(ctx, form));
    }

    private void constrain(Context ctx) {
        var place = place(ctx);
        boolean required = ctx.formParam("required") != null;
        boolean unique = ctx.formParam("unique") != null;
        var form = Form.filled(values(place.attribute(), required, unique));
        change(ctx, place, form, AttributeChange.ofConstraints(required, unique, null));
    }

    private void format(Context ctx) {
        var place = place(ctx);
        var attribute = place.attribute();
        var typed = Form.of(ctx, "format", "currency");
        boolean money = typed.value("format").equals(ValueFormat.Kind.CURRENCY.label());
        var values = new HashMap<>(values(attribute, attribute.required(), attribute.unique()));
        values.put("format", typed.value("format"));
        values.put("currency", typed.value("currency"));
        change(
                ctx,
                place,
                Form.filled(values),
                AttributeChange.ofFormat(
                        typed.value("format"), money ? typed.value("currency").strip() : null));
    }

    private List<Filter.Choice> formats(Context ctx, SchemaAttribute attribute) {
        return attribute.references() != null
                        || attribute.isList()
                        || attribute.isAttachments()
                        || !attribute.options().isEmpty()
                ? List.of()
                : Stream.of(ValueFormat.Kind.values())
                        .filter(kind ->
                                kind.type() == attribute.type() && (!kind.isGenerated() || attribute.isFormatted(kind)))
                        .map(kind -> new Filter.Choice(kind.label(), shell.text(ctx, kind.title())))
                        .toList();
    }

    private void move(Context ctx) {
        var place = place(ctx);
        var order = new ArrayList<>(place.recordAccess().schema().attributes().stream()
                .map(each -> String.valueOf(each.id()))
                .toList());
        int at = order.indexOf(String.valueOf(place.attribute().id()));
        int to = Math.clamp(at + ("up".equals(ctx.formParam("to")) ? -1 : 1), 0, order.size() - 1);
        Collections.swap(order, at, to);
        removed.reorder(place.access(), place.schema(), order);
        shell.seeOther(ctx, place.path(), Text.of("records.attribute-moved"));
    }

    private void remove(Context ctx) {
        var place = place(ctx);
        try {
            removed.remove(
                    place.access(),
                    place.schema(),
                    String.valueOf(place.attribute().id()));
            shell.seeOther(ctx, place.schemaPath() + "/schema", Text.of("records.attribute-removed"));
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, place.path());
            show(ctx, place, named(place.attribute()).refused(refusal), refusal);
        }
    }

    private void restore(Context ctx) {
        var access = context.project(ctx).requireOwner();
        var schema = context.schema(ctx, access).schema();
        var page = RecordPaths.schema(access.project().id(), schema.name()) + "/schema";
        try {
            // Whoever restores it by hand means it by its name.
            removed.restore(access, String.valueOf(schema.id()), ctx.pathParam("attribute"), true);
            shell.seeOther(ctx, page, Text.of("records.attribute-restored"));
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.seeOther(ctx, page, refusal.detail());
        }
    }

    private void change(Context ctx, Place place, Form form, AttributeChange change) {
        try {
            changes.change(
                    place.access(),
                    place.schema(),
                    String.valueOf(place.attribute().id()),
                    change);
            shell.seeOther(ctx, place.path(), Text.of("records.attribute-changed"));
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, place.path());
            show(ctx, place, form.refused(refusal), refusal);
        }
    }

    static AttributeChange change(Context ctx, Form form) {
        return new AttributeChange(form.value("name").strip(), form.value("title"), ctx.formParam("reuse") != null);
    }

    static Form named(SchemaAttribute attribute) {
        return Form.filled(values(attribute, attribute.required(), attribute.unique()));
    }

    private static Map<String, String> values(SchemaAttribute attribute, boolean required, boolean unique) {
        var format = attribute.format();
        return Map.of(
                "name",
                attribute.name(),
                "title",
                Objects.requireNonNullElse(attribute.title(), ""),
                "required",
                required ? "true" : "",
                "unique",
                unique ? "true" : "",
                "format",
                format == null ? "" : format.kind().label(),
                "currency",
                format == null ? "" : Objects.requireNonNullElse(format.currency(), ""));
    }

    void show(Context ctx, Place place, Form form, @Nullable Problem refusal) {
        var schema = place.recordAccess().schema();
        var attribute = place.attribute();
        var computed = ComputedState.of(schemas, place, form);
        var view = new View(
                ProjectHeader.of(place.access()),
                schema.label(),
                place.schemaPath(),
                String.valueOf(attribute.id()),
                attribute.label(),
                shell.text(ctx, computed == null ? attribute.type().title() : computed.typeLabel(attribute.type())),
                FormerName.of(schema, attribute.id(), readers.reader(ctx)),
                isKept(refusal),
                place.schemaPath() + "?a=" + RecordPaths.encoded(attribute.name()) + "&o=missing&v=",
                attribute.type() != ValueType.BOOL && attribute.type().isOrdered(),
                attribute.type().element() == ValueType.TEXT && attribute.references() == null && !attribute.isPerson(),
                attribute.choices(),
                formats(ctx, attribute),
                removed.countValues(place.access(), place.schema(), String.valueOf(attribute.id())),
                computed,
                new TypeState(
                        attribute.type().label(),
                        retypes.undoableUntil(schema, attribute)
                                .map(until -> readers.reader(ctx).date(until))
                                .orElse(null),
                        retypes.running(place.access(), schema)
                                .map(job -> RetypePages.jobPath(place.schemaPath(), job))
                                .orElse(null)));
        shell.page(
                ctx,
                Text.of("records.attribute-title", "attribute", attribute.label()),
                "records/attribute-edit",
                Map.of("form", form, "view", view));
    }

    static boolean isKept(@Nullable Problem refusal) {
        return refusal != null && refusal.code().equals("records.name-kept");
    }
}
