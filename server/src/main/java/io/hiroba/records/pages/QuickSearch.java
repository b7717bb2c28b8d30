package io.hiroba.records.pages;

import io.hiroba.records.Documents;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RecordNames;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.query.ConditionParser;
import io.hiroba.records.query.Queries;
import io.hiroba.records.query.RecordQuery;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes conditions of the text of a quick search. It looks into texts, for numbers that equal it, for options by their titles, for
 * people by the beginning of their nicknames, and for records that are referred to by the beginning of their titles.
 */
final class QuickSearch {

    /** The attributes that are looked into. */
    private static final int MAX_SEARCHED = 20;

    /** The references among them: each takes a query of its own. */
    private static final int MAX_REFERENCES = 4;

    /** The people and the records of a reference that are looked for. */
    private static final int MAX_FOUND = 100;

    private final PageContext context;
    private final Queries queries;

    QuickSearch(PageContext context, Queries queries) {
        this.context = context;
        this.queries = queries;
    }

    Schema of(ProjectAccess access, RecordAccess recordAccess) {
        return new Schema(access, recordAccess);
    }

    /** The attributes of a schema to search, for one request: what they are searched for is looked up once. */
    final class Schema {

        private final ProjectAccess access;
        private final RecordAccess recordAccess;
        private @Nullable List<ObjectNode> found;

        private Schema(ProjectAccess access, RecordAccess recordAccess) {
            this.access = access;
            this.recordAccess = recordAccess;
        }

        RecordAccess recordAccess() {
            return recordAccess;
        }

        /**
         * The conditions of which one is enough; a text that no attribute can have is found nowhere.
         *
         * @param seeAs the one as whom an owner sees the records; null for oneself
         */
        List<ObjectNode> clauses(String search, @Nullable String seeAs) {
            if (found == null) {
                found = List.copyOf(find(search, seeAs));
            }
            return found;
        }

        private List<ObjectNode> find(String search, @Nullable String seeAs) {
            var clauses = new ArrayList<ObjectNode>();
            int references = 0;
            for (var attribute : recordAccess.shown()) {
                if (clauses.size() == MAX_SEARCHED) {
                    break;
                }
                if (attribute.references() != null) {
                    if (references++ < MAX_REFERENCES) {
                        in(attribute, referred(attribute, search, seeAs)).ifPresent(clauses::add);
                    }
                } else if (attribute.isPerson()) {
                    in(attribute, people(search)).ifPresent(clauses::add);
                } else if (!attribute.isGenerated()) {
                    values(attribute, search).forEach(clauses::add);
                }
            }
            return clauses.isEmpty() && !recordAccess.shown().isEmpty() ? List.of(nothing()) : clauses;
        }

        private Stream<ObjectNode> values(SchemaAttribute attribute, String search) {
            if (attribute.isSelect() || attribute.isMultiSelect()) {
                return in(attribute, options(attribute, search)).stream();
            }
            return switch (attribute.type()) {
                case TEXT -> Stream.of(clause(attribute, "contains").put("value", search));
                case NUMERIC ->
                    number(search).stream().map(value -> clause(attribute, "eq").put("value", value));
                case DATE, DATETIME, BOOL, JSONB, MULTI_SELECT -> Stream.empty();
            };
        }

        private List<String> people(String search) {
            var nickname = search.startsWith("@") ? search.substring(1) : search;
            return context.members(access, nickname, MAX_FOUND).stream()
                    .map(Filter.Choice::value)
                    .toList();
        }

        private List<String> referred(SchemaAttribute reference, String search, @Nullable String seeAs) {
            var target = context.target(access, RecordTitles.target(reference));
            var title = RecordNames.title(target).orElse(null);
            if (title == null) {
                return List.of();
            }
            // Names mostly begin with a capital, however they are typed.
            var either = Documents.exact().createObjectNode();
            var beginnings = either.putArray("or");
            Stream.of(search, capitalized(search, "^\\S"), capitalized(search, "(?<!\\S)\\S"))
                    .distinct()
                    .forEach(each -> beginnings.add(clause(title, "startsWith").put("value", each)));
            var query = RecordQuery.all(target.schema().name())
                    .where(ConditionParser.condition(either))
                    .selecting(List.of(title.name()))
                    .limit(MAX_FOUND);
            return queries.page(access.caller(), access.project().id(), seeAs, query).rows().stream()
                    .map(row -> row.id().toString())
                    .toList();
        }

        /** What no record satisfies. */
        private ObjectNode nothing() {
            var first = recordAccess.shown().getFirst();
            var never = Documents.exact().createObjectNode();
            never.putArray("and").add(clause(first, "exists")).add(clause(first, "missing"));
            return never;
        }
    }

    private static String capitalized(String text, String letters) {
        return Pattern.compile(letters)
                .matcher(text)
                .replaceAll(letter -> Matcher.quoteReplacement(letter.group().toUpperCase(Locale.ROOT)));
    }

    private static List<String> options(SchemaAttribute attribute, String search) {
        var text = search.toLowerCase(Locale.ROOT);
        return attribute.choices().stream()
                .filter(each -> each.label().toLowerCase(Locale.ROOT).contains(text))
                .map(each -> each.value())
                .limit(MAX_FOUND)
                .toList();
    }

    private static Optional<ObjectNode> in(SchemaAttribute attribute, List<String> values) {
        if (values.isEmpty()) {
            return Optional.empty();
        }
        var clause = clause(attribute, "in");
        var list = clause.putArray("value");
        values.forEach(list::add);
        return Optional.of(clause);
    }

    private static ObjectNode clause(SchemaAttribute attribute, String operator) {
        return Documents.exact()
                .createObjectNode()
                .put("attr", attribute.name())
                .put("op", operator);
    }

    private static Optional<BigDecimal> number(String search) {
        return search.matches("[+-]?\\d{1,30}(\\.\\d{1,30})?") ? Optional.of(new BigDecimal(search)) : Optional.empty();
    }
}
