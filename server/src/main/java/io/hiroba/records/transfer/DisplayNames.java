package io.hiroba.records.transfer;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.id.Ids;
import io.hiroba.records.AccessResolver;
import io.hiroba.records.Documents;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectId;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordNames;
import io.hiroba.records.RowId;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.SchemaCatalog;
import io.hiroba.records.query.QueryResult;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Finds the names of the records and people whose ids a page of an export has, as far as the caller may read them. */
final class DisplayNames {

    private final Db db;
    private final SchemaCatalog catalog;
    private final AccessResolver accessResolver;
    private final Projects projects;
    private final Users users;
    private final RecordNames names = new RecordNames();

    DisplayNames(Db db, SchemaCatalog catalog, AccessResolver accessResolver, Projects projects, Users users) {
        this.db = db;
        this.catalog = catalog;
        this.accessResolver = accessResolver;
        this.projects = projects;
        this.users = users;
    }

    /** Whether values of {@code attribute} are ids that have names. */
    static boolean has(SchemaAttribute attribute) {
        return attribute.references() != null || attribute.isPerson();
    }

    /** The ids in a value, or in a list of them. */
    static Stream<String> ids(JsonNode value) {
        return (value.isArray() ? value.valueStream() : Stream.of(value))
                .filter(JsonNode::isString)
                .map(JsonNode::stringValue);
    }

    /** By id. */
    Map<String, String> of(Caller caller, ProjectId project, QueryResult page) {
        var access = projects.access(caller, project);
        var found = new HashMap<String, String>();
        for (var attribute : page.attributes()) {
            if (has(attribute)) {
                var ids = page.rows().stream()
                        .flatMap(row -> ids(Documents.value(row.document(), attribute)))
                        .collect(Collectors.toCollection(LinkedHashSet::new));
                found.putAll(attribute.isPerson() ? people(ids) : records(access, attribute, ids));
            }
        }
        return found;
    }

    private Map<String, String> people(Set<String> ids) {
        var known = ids.stream().filter(Ids::isId).map(UserId::parse).toList();
        return db.read(reads -> users.find(reads, known)).entrySet().stream()
                .collect(Collectors.toMap(
                        each -> each.getKey().hex(),
                        each -> each.getValue().user().nickname().value()));
    }

    private Map<String, String> records(ProjectAccess access, SchemaAttribute reference, Set<String> ids) {
        var target = catalog.refreshed(access.tables(), String.valueOf(reference.references()));
        var rows = ids.stream()
                .flatMap(id -> RowId.find(id).stream())
                .map(RowId::value)
                .toList();
        return db
                .<Map<UUID, String>>read(
                        reads -> names.titles(reads, access.tables(), accessResolver.of(reads, access, target), rows))
                .entrySet()
                .stream()
                .collect(Collectors.toMap(each -> each.getKey().toString(), Map.Entry::getValue));
    }
}
