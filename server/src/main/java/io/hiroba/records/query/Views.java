package io.hiroba.records.query;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.records.Access;
import io.hiroba.records.schema.Schema;
import io.hiroba.records.schema.Sight;
import io.hiroba.records.schema.Sights;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;

/** Schemas as callers see them, for queries. */
final class Views {

    private static final Predicate NOTHING = new Predicate.Not(new Predicate.All(List.of()));

    private final Db db;
    private final Sights sights;

    Views(Db db, Sights sights) {
        this.db = db;
        this.sights = sights;
    }

    View of(Access access, Schema schema) {
        var rules = schema.rules().binding(access.role());
        // Only a rule that compares with something of the caller's has anything looked up.
        return rules.matching() == null
                ? view(new Sight(schema, rules, access.user(), null))
                : db.read(reads -> of(reads, access, schema));
    }

    /** As above, for who is in a transaction already. */
    View of(Reads reads, Access access, Schema schema) {
        return view(sights.of(reads, access, schema));
    }

    private static View view(Sight sight) {
        return new View(sight.schema(), sight.shown(), rows(sight));
    }

    private static Predicate rows(Sight sight) {
        var rows = new ArrayList<Predicate>();
        if (sight.rules().ownRowsOnly()) {
            rows.add(new Predicate.MadeBy(sight.user()));
        }
        sight.matching().ifPresent(attribute -> {
            var trait = sight.trait();
            rows.add(
                    trait == null
                            ? NOTHING
                            : new Predicate.Leaf(
                                    attribute, Operator.EQ, List.of(JsonNodeFactory.instance.stringNode(trait))));
        });
        return new Predicate.All(rows);
    }
}
