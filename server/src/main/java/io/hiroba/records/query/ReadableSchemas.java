package io.hiroba.records.query;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.records.AccessResolver;
import io.hiroba.records.AccessRules;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RowTest;
import io.hiroba.records.Schema;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;

/** Resolves what callers can read of schemas, for queries. */
final class ReadableSchemas {

    private static final Predicate NOTHING = new Predicate.Not(new Predicate.All(List.of()));

    private final Db db;
    private final AccessResolver accessResolver;

    ReadableSchemas(Db db, AccessResolver accessResolver) {
        this.db = db;
        this.accessResolver = accessResolver;
    }

    ReadableSchema of(ProjectAccess access, Schema schema) {
        var rules = schema.binding(access.role());
        // Only a matching rule requires the caller's profile.
        return rules.matching() == null
                ? view(new RecordAccess(schema, rules, access.user(), null))
                : db.read(reads -> of(reads, access, schema));
    }

    /** The same in the caller's transaction. */
    ReadableSchema of(Reads reads, ProjectAccess access, Schema schema) {
        return view(accessResolver.of(reads, access, schema));
    }

    /** The same as if {@code rules} were those that apply. */
    ReadableSchema of(Reads reads, ProjectAccess access, Schema schema, AccessRules rules) {
        return view(accessResolver.of(reads, access, schema, rules));
    }

    private static ReadableSchema view(RecordAccess recordAccess) {
        return new ReadableSchema(recordAccess.schema(), recordAccess.shown(), rows(recordAccess));
    }

    private static Predicate rows(RecordAccess recordAccess) {
        var rows = new ArrayList<Predicate>();
        if (recordAccess.rules().ownRowsOnly()) {
            rows.add(new Predicate.MadeBy(recordAccess.user()));
        }
        recordAccess.matching().ifPresent(attribute -> {
            var trait = recordAccess.trait();
            rows.add(
                    trait == null
                            ? NOTHING
                            : new Predicate.Leaf(
                                    attribute, Operator.EQ, List.of(JsonNodeFactory.instance.stringNode(trait))));
        });
        recordAccess.rules().where().forEach(test -> rows.add(row(recordAccess, test)));
        return new Predicate.All(rows);
    }

    private static Predicate row(RecordAccess recordAccess, RowTest test) {
        var operator = Operator.named(test.operator());
        return recordAccess
                .schema()
                .attribute(test.attribute())
                .filter(attribute -> operator.isPresent())
                .map(attribute -> ConditionResolver.predicate(
                        attribute,
                        new Condition.Test(
                                attribute.name(),
                                operator.orElseThrow(),
                                test.values(attribute, recordAccess.user()),
                                false)))
                .orElse(NOTHING);
    }
}
