package io.hiroba.records.pages;

import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.KnowledgeTexts;
import io.hiroba.records.KnowledgeTexts.ChosenTexts;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectRole;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.SchemaAttribute;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page on which owners choose whether the records of a schema are found in knowledge, and by which attributes. */
public final class KnowledgeTextPages implements Routes {

    private static final String PATH = RecordPaths.SCHEMA + "/knowledge";
    private static final String FIELD = "attribute";

    private final Shell shell;
    private final PageContext context;
    private final KnowledgeTexts texts;

    KnowledgeTextPages(Shell shell, PageContext context, KnowledgeTexts texts) {
        this.shell = shell;
        this.context = context;
        this.texts = texts;
    }

    /**
     * An attribute that texts can be made of.
     *
     * @param isChosen whether they are
     */
    public record Attribute(String name, String label, boolean isChosen) {}

    /**
     * The choice for a schema.
     *
     * @param isChosen whether its records are found in knowledge
     * @param isBroken whether nobody finds them, since an attribute of the texts was removed
     * @param excluded the roles that do not find them, since a rule hides something of the texts from them
     */
    public record View(
            ProjectHeader project,
            String schema,
            String path,
            boolean isChosen,
            boolean isBroken,
            List<Attribute> attributes,
            List<Text> excluded) {

        public View {
            attributes = List.copyOf(attributes);
            excluded = List.copyOf(excluded);
        }
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, ctx -> {
            var access = context.project(ctx).requireOwner();
            show(ctx, access, context.schema(ctx, access), Form.EMPTY);
        });
        routes.post(PATH, this::choose);
        routes.post(PATH + "/end", this::end);
    }

    private void choose(Context ctx) {
        var access = context.project(ctx).requireOwner();
        var recordAccess = context.schema(ctx, access);
        var path = path(access, recordAccess);
        try {
            texts.choose(access, recordAccess.schema().name(), ctx.formParams(FIELD));
            shell.seeOther(ctx, path, Text.of("records.knowledge-saved"));
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, path);
            show(ctx, access, recordAccess, Form.EMPTY.withProblem(refusal.detail()));
        }
    }

    private void end(Context ctx) {
        var access = context.project(ctx).requireOwner();
        var recordAccess = context.schema(ctx, access);
        texts.end(access, recordAccess.schema().name());
        shell.seeOther(ctx, path(access, recordAccess), Text.of("records.knowledge-ended"));
    }

    private void show(Context ctx, ProjectAccess access, RecordAccess recordAccess, Form form) {
        var schema = recordAccess.schema();
        var chosen = texts.find(access, schema.name());
        var names = chosen.map(ChosenTexts::attributes).orElse(List.of()).stream()
                .map(SchemaAttribute::name)
                .collect(Collectors.toSet());
        var attributes = KnowledgeTexts.eligible(schema).stream()
                .map(each -> new Attribute(each.name(), each.label(), names.contains(each.name())))
                .toList();
        boolean isBroken = chosen.filter(each -> !each.readers().contains(ProjectRole.OWNER))
                .isPresent();
        var view = new View(
                ProjectHeader.of(access),
                schema.label(),
                RecordPaths.schema(access.project().id(), schema.name()),
                chosen.isPresent(),
                isBroken,
                attributes,
                isBroken
                        ? List.of()
                        : chosen.stream().flatMap(each -> excluded(each)).toList());
        shell.page(ctx, Text.of("records.knowledge"), "records/knowledge", Map.of("form", form, "view", view));
    }

    private static Stream<Text> excluded(ChosenTexts chosen) {
        return Stream.of(ProjectRole.VIEWER, ProjectRole.EDITOR)
                .filter(role -> !chosen.readers().contains(role))
                .map(role -> Text.of(
                        "records.knowledge-excluded",
                        "who",
                        Text.of("records.see-as-role." + ProjectHeader.label(role))));
    }

    private static String path(ProjectAccess access, RecordAccess recordAccess) {
        return RecordPaths.schema(access.project().id(), recordAccess.schema().name()) + "/knowledge";
    }
}
