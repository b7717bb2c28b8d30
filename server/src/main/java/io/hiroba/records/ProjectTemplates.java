package io.hiroba.records;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.task.Lazy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Creates projects, empty or from templates, each whole in one transaction. */
public final class ProjectTemplates {

    /** In the order in which they are shown; each is a resource beside this class. */
    private static final List<String> NAMES = List.of("crm", "tickets", "stock", "content-plan");

    private static final String KEY = "_key";
    private static final String TITLE = "title";

    private final Projects projects;
    private final Schemas schemas;
    private final Records records;
    private final SchemaCatalog catalog;
    private final Clock clock;
    private final ViewMaker views;
    private final SchemaStore store = new SchemaStore();
    private final SchemaChangeStore titles = new SchemaChangeStore();
    private final Lazy<Map<Language, List<ProjectTemplate>>> templates = Lazy.of(ProjectTemplates::templates);

    /** Keeps views and dashboards of all members in the caller's transaction. */
    public interface ViewMaker {

        void create(Tx tx, ProjectAccess access, Schema schema, ProjectTemplate.Look look);

        void create(Tx tx, ProjectAccess access, ProjectTemplate.Board board);
    }

    public ProjectTemplates(
            Projects projects, Schemas schemas, Records records, SchemaCatalog catalog, Clock clock, ViewMaker views) {
        this.projects = projects;
        this.schemas = schemas;
        this.records = records;
        this.catalog = catalog;
        this.clock = clock;
        this.views = views;
    }

    private static Map<Language, List<ProjectTemplate>> templates() {
        var templates = new EnumMap<Language, List<ProjectTemplate>>(Language.class);
        var resources = NAMES.stream().map(ProjectTemplates::resource).toList();
        for (var language : Language.values()) {
            templates.put(
                    language,
                    resources.stream()
                            .map(each -> ProjectTemplate.read(each, language))
                            .toList());
        }
        return templates;
    }

    private static JsonNode resource(String name) {
        var path = "templates/" + name + ".json";
        try (var stream = Objects.requireNonNull(ProjectTemplates.class.getResourceAsStream(path), path)) {
            return Documents.exact().readTree(stream.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All templates, with their texts in {@code language}. */
    public List<ProjectTemplate> list(Language language) {
        return Objects.requireNonNull(templates.get().get(language));
    }

    /**
     * The content of a new project.
     *
     * @param template the name of a template; null for an empty project
     * @param language that of titles and records
     * @param examples whether it has the records of the template
     */
    public record Choice(@Nullable String template, Language language, boolean examples) {}

    /** Creates a project of the caller in the caller's transaction. */
    public Project create(Tx tx, Caller caller, String name, Choice choice) {
        var chosen = choice.template();
        var template = chosen == null
                ? null
                : list(choice.language()).stream()
                        .filter(each -> each.name().equals(chosen))
                        .findFirst()
                        .orElseThrow(() -> RecordsProblem.invalid(
                                "template", Text.of("http.field.one-of", "values", String.join(", ", NAMES))));
        var project = projects.create(tx, caller, name);
        if (template != null) {
            fill(tx, new ProjectAccess(caller, project, ProjectRole.OWNER), template, choice.examples());
        }
        return project;
    }

    private void fill(Tx tx, ProjectAccess access, ProjectTemplate template, boolean examples) {
        for (var table : template.schemas()) {
            schemas.define(tx, access, definition(table, table.attributes()));
        }
        var keys = new HashMap<String, String>();
        for (var table : template.schemas()) {
            if (table.later() != null) {
                schemas.evolve(tx, access, table.name(), definition(table, table.allAttributes()));
            }
            var schema = titled(tx, access, table);
            table.views().forEach(look -> views.create(tx, access, schema, look));
        }
        if (examples) {
            template.schemas().forEach(table -> insert(tx, access, table, keys));
        }
        template.dashboards().forEach(board -> views.create(tx, access, board));
    }

    private static SchemaDefinition definition(ProjectTemplate.Table table, List<JsonNode> attributes) {
        return new SchemaDefinition(
                table.name(),
                null,
                attributes.stream()
                        .map(given -> {
                            var untitled = (ObjectNode) given.deepCopy();
                            untitled.remove(TITLE);
                            return Documents.exact().treeToValue(untitled, AttributeDefinition.class);
                        })
                        .toList());
    }

    private Schema titled(Tx tx, ProjectAccess access, ProjectTemplate.Table table) {
        var schema = store.find(tx, access.tables(), table.name()).orElseThrow();
        titles.setTitle(tx, access.tables(), schema.id(), table.title());
        store.putAttributes(
                tx,
                access.tables(),
                schema.id(),
                table.allAttributes().stream()
                        .filter(each -> each.has(TITLE))
                        .map(each -> schema.attribute(each.path("name").stringValue())
                                .orElseThrow()
                                .titled(each.path(TITLE).stringValue()))
                        .toList());
        return catalog.current(tx, access.tables(), table.name());
    }

    /** @param keys the ids of records by their keys, to which these are added */
    private void insert(Tx tx, ProjectAccess access, ProjectTemplate.Table table, Map<String, String> keys) {
        var today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        for (var example : table.examples()) {
            var values = (ObjectNode) example.deepCopy();
            var key = values.remove(KEY);
            for (var name : List.copyOf(values.propertyNames())) {
                var value = values.get(name);
                var day = ProjectTemplate.day(value, today);
                var target = value.isString() && value.stringValue().startsWith("@")
                        ? keys.get(value.stringValue().substring(1))
                        : null;
                if (day != null) {
                    values.set(name, day);
                } else if (target != null) {
                    values.set(name, JsonNodeFactory.instance.stringNode(target));
                }
            }
            var created = records.create(tx, access, table.name(), values, true);
            if (key != null) {
                keys.put(key.stringValue(), created.id());
            }
        }
    }
}
