package io.hiroba.records.pages;

import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.AccessRules;
import io.hiroba.records.AccessRules.WriteKind;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectRole;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.Schemas;
import io.hiroba.records.ValueType;
import io.hiroba.records.query.Queries;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The editor of a schema's access rules by role, for owners, who can try them out before they save. */
public final class RulesPages implements Routes {

    private static final int MAX_COUNTED = 1000;
    private static final int MAX_COUNTS = 5;
    private static final int MAX_MEMBERS = 100;
    private static final List<ProjectRole> ROLES = List.of(ProjectRole.VIEWER, ProjectRole.EDITOR);

    private final Shell shell;
    private final Readers readers;
    private final PageContext context;
    private final Projects projects;
    private final Schemas schemas;
    private final Queries queries;

    RulesPages(Shell shell, Readers readers, PageContext context, Projects projects, Schemas schemas, Queries queries) {
        this.shell = shell;
        this.readers = readers;
        this.context = context;
        this.projects = projects;
        this.schemas = schemas;
        this.queries = queries;
    }

    /**
     * The access rules of a schema for a role in their editor.
     *
     * @param role {@code viewer} or {@code editor}
     * @param isSame whether both have the same rules
     * @param texts the attributes that can be compared with a property of the reader
     * @param counts how many records somebody would read; empty unless they were asked for
     * @param readers the roles and members as whom the records can be seen
     */
    public record View(
            ProjectHeader project,
            String schema,
            String path,
            String role,
            boolean isSame,
            List<Filter.Choice> attributes,
            List<Filter.Choice> texts,
            Filter filter,
            List<Text> counts,
            List<Filter.Choice> readers) {

        public View {
            attributes = List.copyOf(attributes);
            texts = List.copyOf(texts);
            counts = List.copyOf(counts);
            readers = List.copyOf(readers);
        }

        public boolean isEditor() {
            return role.equals("editor");
        }
    }

    /** Rules that were read from a form, and the lines of their conditions. */
    private record Draft(AccessRules rules, List<Filter.Line> lines) {

        boolean hasErrors() {
            return lines.stream().anyMatch(line -> line.error() != null);
        }

        /** The same with the errors of a refusal beside the conditions that they are about. */
        Draft refused(Problem refusal, Function<Text, String> words) {
            var marked = new ArrayList<>(lines);
            for (var fault : refusal.fields()) {
                var field = fault.field().replace("editors.", "");
                for (int i = 0; i < marked.size(); i++) {
                    if (field.equals("where[%d]".formatted(i))) {
                        marked.set(i, marked.get(i).withError(words.apply(fault.message())));
                    }
                }
            }
            return new Draft(rules, marked);
        }
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(RecordPaths.SCHEMA + "/rules", ctx -> {
            var access = context.project(ctx).requireOwner();
            var recordAccess = context.schema(ctx, access);
            var role = role(ctx.queryParam("role"));
            var rules = recordAccess.schema().rules().binding(role);
            show(
                    ctx,
                    access,
                    recordAccess,
                    role,
                    filled(recordAccess, role),
                    lines(ctx, access, recordAccess, rules),
                    List.of());
        });
        routes.post(RecordPaths.SCHEMA + "/rules", this::save);
    }

    private static ProjectRole role(@Nullable String named) {
        return "editor".equals(named) ? ProjectRole.EDITOR : ProjectRole.VIEWER;
    }

    private void save(Context ctx) {
        var access = context.project(ctx).requireOwner();
        var recordAccess = context.schema(ctx, access);
        var names = Stream.concat(
                        Stream.of(
                                "version",
                                "role",
                                "same",
                                "ownRowsOnly",
                                "matching",
                                "trait",
                                "create",
                                "update",
                                "delete"),
                        recordAccess.shown().stream().map(each -> "see." + each.name()))
                .toArray(String[]::new);
        var form = Form.of(ctx, names);
        var role = role(form.value("role"));
        int version = recordAccess.schema().version();
        // What is allowed by the fields of an older form would be more than its sender has seen.
        if (!form.value("version").equals(Integer.toString(version))) {
            conflicted(ctx, access, role);
            return;
        }
        boolean same = role == ProjectRole.VIEWER && form.isChecked("same");
        var draft = draft(ctx, access, recordAccess, form, same ? ProjectRole.EDITOR : role);
        if (draft.hasErrors()) {
            ctx.status(422);
            show(ctx, access, recordAccess, role, form, draft.lines(), List.of());
            return;
        }
        if (ctx.formParam("preview") != null) {
            show(
                    ctx,
                    access,
                    recordAccess,
                    role,
                    form,
                    draft.lines(),
                    counts(access, recordAccess, role, draft.rules()));
            return;
        }
        try {
            schemas.setRules(
                    access,
                    recordAccess.schema().name(),
                    version,
                    before -> same ? draft.rules() : before.with(role, draft.rules()));
            shell.seeOther(ctx, path(access, recordAccess), Text.of("records.rules-saved"));
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            if (refusal.kind() == Problem.Kind.PRECONDITION_FAILED) {
                conflicted(ctx, access, role);
                return;
            }
            shell.refused(ctx, refusal, path(access, recordAccess) + "/rules");
            var reader = readers.reader(ctx);
            var marked = draft.refused(refusal, reader::sentence);
            show(
                    ctx,
                    access,
                    recordAccess,
                    role,
                    marked.hasErrors() ? form : form.withProblem(refusal.detail()),
                    marked.lines(),
                    List.of());
        }
    }

    /** Shows the rules as somebody else has set them meanwhile, in place of those that were typed. */
    private void conflicted(Context ctx, ProjectAccess access, ProjectRole role) {
        var now = context.schema(ctx, access);
        ctx.status(412);
        show(
                ctx,
                access,
                now,
                role,
                filled(now, role).withProblem(Text.of("records.rules-conflict")),
                lines(ctx, access, now, now.schema().rules().binding(role)),
                List.of());
    }

    /**
     * The rules that were typed. What a form does not say of an attribute or a kind of write stays as it is.
     *
     * @param writer the role whose writes the form is about
     */
    private Draft draft(Context ctx, ProjectAccess access, RecordAccess recordAccess, Form form, ProjectRole writer) {
        var all = recordAccess.schema().rules();
        var before = all.binding(role(form.value("role")));
        var hidden = new HashSet<String>();
        var readOnly = new HashSet<String>();
        for (var attribute : recordAccess.shown()) {
            var name = attribute.name();
            var seen = form.value("see." + name);
            if (seen.equals("hide") || (seen.isEmpty() && before.hidden().contains(name))) {
                hidden.add(name);
            } else if (seen.equals("read")
                    || (seen.isEmpty() && before.readOnly().contains(name))) {
                readOnly.add(name);
            }
        }
        var denied = EnumSet.noneOf(WriteKind.class);
        for (var kind : WriteKind.values()) {
            var typed = ctx.formParam(kind.name().toLowerCase(Locale.ROOT));
            if (typed == null ? all.binding(writer).denied().contains(kind) : typed.equals("no")) {
                denied.add(kind);
            }
        }
        var conditions = RuleConditions.typed(ctx, recordAccess, readers.reader(ctx), shown(ctx, access));
        return new Draft(
                new AccessRules(
                        form.isChecked("ownRowsOnly"),
                        matching(form),
                        hidden,
                        readOnly,
                        conditions.tests(),
                        denied,
                        null),
                conditions.lines());
    }

    private List<Filter.Line> lines(Context ctx, ProjectAccess access, RecordAccess recordAccess, AccessRules rules) {
        return RuleConditions.of(rules.where(), recordAccess, readers.reader(ctx), shown(ctx, access))
                .lines();
    }

    private FilterLines shown(Context ctx, ProjectAccess access) {
        return new FilterLines(readers.reader(ctx), () -> context.members(access)).ofRules();
    }

    private static AccessRules.@Nullable Matching matching(Form form) {
        var attribute = form.value("matching");
        if (attribute.isEmpty()) {
            return null;
        }
        return new AccessRules.Matching(
                attribute,
                switch (form.value("trait")) {
                    case "email" -> AccessRules.Trait.EMAIL;
                    default -> AccessRules.Trait.ID;
                });
    }

    private static Form filled(RecordAccess recordAccess, ProjectRole role) {
        var all = recordAccess.schema().rules();
        var rules = all.binding(role);
        var values = new HashMap<String, String>();
        values.put("version", Integer.toString(recordAccess.schema().version()));
        values.put("role", ProjectHeader.label(role));
        values.put("same", all.editors() == null ? "true" : "");
        values.put("ownRowsOnly", rules.ownRowsOnly() ? "true" : "");
        var matching = rules.matching();
        if (matching != null) {
            values.put("matching", matching.attribute());
            values.put("trait", matching.equals().name().toLowerCase(Locale.ROOT));
        }
        rules.denied().forEach(kind -> values.put(kind.name().toLowerCase(Locale.ROOT), "no"));
        rules.readOnly().forEach(name -> values.put("see." + name, "read"));
        rules.hidden().forEach(name -> values.put("see." + name, "hide"));
        return Form.filled(values);
    }

    /** How many records the role would read, or some of its members where each reads others. */
    private List<Text> counts(ProjectAccess access, RecordAccess recordAccess, ProjectRole role, AccessRules rules) {
        var label = Text.of("records.role." + ProjectHeader.label(role));
        if (!rules.isPersonal()) {
            var seen = projects.seeAs(access, "role:" + ProjectHeader.label(role));
            return List.of(count(access, recordAccess, seen, rules, label));
        }
        var members = members(access).stream()
                .filter(each -> each.role() == role)
                .limit(MAX_COUNTS)
                .toList();
        return members.isEmpty()
                ? List.of(Text.of("records.rules-count-nobody"))
                : members.stream()
                        .map(each -> count(
                                access,
                                recordAccess,
                                projects.seeAs(access, each.user().hex()),
                                rules,
                                Text.verbatim(each.nickname())))
                        .toList();
    }

    private Text count(
            ProjectAccess access, RecordAccess recordAccess, ProjectAccess reader, AccessRules rules, Text who) {
        int count = queries.countReadable(access, reader, recordAccess.schema(), rules, MAX_COUNTED + 1);
        return count > MAX_COUNTED
                ? Text.of("records.rules-count-many", "who", who, "count", MAX_COUNTED)
                : Text.of("records.rules-count", "who", who, "count", count);
    }

    private List<Projects.Member> members(ProjectAccess access) {
        return projects.members(access.caller(), access.project().id(), 0, MAX_MEMBERS);
    }

    private List<Filter.Choice> readers(Context ctx, ProjectAccess access) {
        var choices = new ArrayList<Filter.Choice>();
        for (var role : ROLES) {
            choices.add(new Filter.Choice(
                    "role:" + ProjectHeader.label(role),
                    shell.text(ctx, Text.of("records.see-as-role." + ProjectHeader.label(role)))));
        }
        for (var member : members(access)) {
            if (member.role() != ProjectRole.OWNER) {
                choices.add(new Filter.Choice(member.user().hex(), member.nickname()));
            }
        }
        return choices;
    }

    private void show(
            Context ctx,
            ProjectAccess access,
            RecordAccess recordAccess,
            ProjectRole role,
            Form form,
            List<Filter.Line> lines,
            List<Text> counts) {
        var view = new View(
                ProjectHeader.of(access),
                recordAccess.schema().label(),
                path(access, recordAccess),
                ProjectHeader.label(role),
                recordAccess.schema().rules().editors() == null,
                FilterLines.choices(recordAccess.shown()),
                FilterLines.choices(recordAccess.shown().stream()
                        .filter(each -> each.type() == ValueType.TEXT && each.references() == null)
                        .toList()),
                new Filter(lines, false, FilterLines.choices(comparable(recordAccess)), List.of()),
                counts,
                readers(ctx, access));
        shell.page(ctx, Text.of("records.rules"), "records/rules", Map.of("form", form, "view", view));
    }

    private static List<SchemaAttribute> comparable(RecordAccess recordAccess) {
        return recordAccess.shown().stream()
                .filter(each -> !recordAccess.schema().isComputed(each))
                .toList();
    }

    private static String path(ProjectAccess access, RecordAccess recordAccess) {
        return RecordPaths.schema(access.project().id(), recordAccess.schema().name());
    }

    /** The rules of a role in a few words. */
    static Text summary(AccessRules rules) {
        return Text.of(
                rules.showsAllRows() ? "records.rules-all-rows" : "records.rules-some-rows",
                "hidden",
                rules.hidden().size(),
                "readOnly",
                rules.readOnly().size());
    }
}
