package io.hiroba.records.query;

import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.records.Access;
import io.hiroba.records.schema.Rules;
import io.hiroba.records.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;

/** Schemas as callers see them: the rules applied. */
final class Views {

    private final Users users;

    Views(Users users) {
        this.users = users;
    }

    View of(Access access, Schema schema) {
        var rules = schema.rules().binding(access.role());
        var attributes = schema.attributes().stream()
                .filter(attribute -> !rules.hidden().contains(attribute.name()))
                .toList();
        return new View(schema, attributes, rows(rules, schema, access.user()));
    }

    private Predicate rows(Rules rules, Schema schema, UserId user) {
        var rows = new ArrayList<Predicate>();
        if (rules.ownRowsOnly()) {
            rows.add(new Predicate.MadeBy(user));
        }
        var matching = rules.matching();
        if (matching != null) {
            var attribute = schema.attribute(matching.attribute()).orElseThrow();
            var trait = JsonNodeFactory.instance.stringNode(trait(matching.equals(), user));
            rows.add(new Predicate.Leaf(attribute, Operator.EQ, List.of(trait)));
        }
        return new Predicate.All(rows);
    }

    private String trait(Rules.Trait trait, UserId user) {
        return switch (trait) {
            case ID -> user.hex();
            case NICKNAME -> users.find(user).orElseThrow().user().nickname().value();
            case EMAIL -> users.find(user).orElseThrow().user().email().value();
        };
    }
}
