package io.hiroba.records;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenScope;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.search.SearchSource;
import io.hiroba.platform.search.SearchWords;
import io.hiroba.platform.text.Passage;
import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Records in the one search, by the texts that the caller may read, in the projects that they are a member of. */
final class RecordSearchSource implements SearchSource {

    private static final int MAX_PROJECTS = 20;
    private static final int MAX_SCHEMAS = 50;
    /** More than are shown: some of them the caller may not read. */
    private static final int MAX_CANDIDATES = 50;

    private static final int SNIPPET_LENGTH = 200;

    private final Db db;
    private final Projects projects;
    private final Schemas schemas;
    private final AccessResolver accessResolver;
    private final RecordSearchStore store = new RecordSearchStore();

    RecordSearchSource(Db db, Projects projects, Schemas schemas, AccessResolver accessResolver) {
        this.db = db;
        this.projects = projects;
        this.schemas = schemas;
        this.accessResolver = accessResolver;
    }

    @Override
    public String type() {
        return "records";
    }

    @Override
    public String icon() {
        return "table";
    }

    @Override
    public int order() {
        return 30;
    }

    @Override
    public Optional<Finder> finder(Context ctx) {
        return Caller.find(ctx)
                .filter(caller -> caller.allows(TokenScope.RECORDS_READ))
                .map(caller -> (typed, limit) -> find(caller, typed, limit));
    }

    private List<SearchResult> find(Caller caller, String typed, int limit) {
        var words = SearchWords.of(typed);
        var found = new ArrayList<SearchResult>();
        int searched = 0;
        if (words.isEmpty()) {
            return found;
        }
        for (var membership : projects.list(caller, Long.MAX_VALUE, MAX_PROJECTS)) {
            var access = new ProjectAccess(caller, membership.project(), membership.role());
            for (var schema : schemas.list(access)) {
                if (found.size() >= limit || searched++ == MAX_SCHEMAS) {
                    return found.subList(0, Math.min(limit, found.size()));
                }
                found.addAll(db.read(reads -> in(reads, access, schema, typed, words)));
            }
        }
        return found.subList(0, Math.min(limit, found.size()));
    }

    private List<SearchResult> in(Reads reads, ProjectAccess access, Schema schema, String typed, SearchWords words) {
        var recordAccess = accessResolver.of(reads, access, schema);
        var texts = recordAccess.shown().stream()
                .filter(each -> each.type() == ValueType.TEXT && each.references() == null && !each.isPerson())
                .toList();
        if (texts.isEmpty()) {
            return List.of();
        }
        return store.search(reads, access.tables(), schema, texts, SearchWords.unquoted(typed), MAX_CANDIDATES).stream()
                .filter(row -> Records.canReadRow(recordAccess, row))
                .flatMap(row -> result(access, schema, texts, row, words).stream())
                .toList();
    }

    /** Empty if the words are only in what the caller may not read. */
    private static Optional<SearchResult> result(
            ProjectAccess access, Schema schema, List<SchemaAttribute> texts, RecordRow row, SearchWords words) {
        var values = texts.stream()
                .map(each -> Documents.value(row.document(), each))
                .filter(JsonNode::isString)
                .map(JsonNode::stringValue)
                .filter(value -> !value.isBlank())
                .toList();
        var text = values.stream().collect(Collectors.joining(" · "));
        if (!words.areIn(text)) {
            return Optional.empty();
        }
        var url = "/records/%s/%s/%s"
                .formatted(
                        access.project().id().hex(),
                        URLEncoder.encode(schema.name(), StandardCharsets.UTF_8).replace("+", "%20"),
                        row.id());
        return Optional.of(new SearchResult(
                values.getFirst() + " · " + access.project().name() + " / " + schema.name(),
                Passage.containing(text, words.words(), SNIPPET_LENGTH),
                url,
                row.updatedAt()));
    }
}
