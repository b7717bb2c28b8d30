package io.hiroba.records.data;

import io.hiroba.platform.db.Tx;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.records.Access;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.schema.Attribute;
import io.hiroba.records.schema.Catalog;
import io.hiroba.records.schema.Rules;
import io.hiroba.records.schema.Schema;
import io.hiroba.records.schema.Sight;
import io.hiroba.records.schema.Sights;
import io.hiroba.records.schema.ValueType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What a schema promises across records: values that are unique, references that lead somewhere. The database keeps it; this
 * finds out beforehand which field of which record would break it.
 */
final class Promises {

    private final Catalog catalog;
    private final Sights sights;
    private final PromiseStore store = new PromiseStore();

    Promises(Catalog catalog, Sights sights) {
        this.catalog = catalog;
        this.sights = sights;
    }

    /** Whether the database alone does not do: it does not know that a record is not the caller's to see. */
    boolean mustAsk(Tx tx, Access access, Schema schema) {
        return schema.attributes().stream()
                .map(Attribute::references)
                .anyMatch(target -> target != null
                        && !current(tx, access, schema, target)
                                .rules()
                                .binding(access.role())
                                .showsAllRows());
    }

    /** Refuses those of {@code items} that would break a promise. */
    void check(Tx tx, Access access, Schema schema, List<Item> items) {
        var sight = sights.of(tx, access, schema);
        boolean all;
        do {
            // What is refused does not make room for others, nor is it there to be referred to.
            var good = items.stream().filter(Item::isGood).toList();
            checkUnique(tx, access, sight, good);
            checkTargets(tx, access, sight, good);
            all = good.stream().allMatch(Item::isGood);
        } while (!all);
    }

    /** Refuses those of {@code items} that others refer to, where they are to be deleted. */
    void checkReferredTo(Tx tx, Access access, Schema schema, List<Item> items) {
        boolean all;
        do {
            var good = items.stream().filter(Item::isGood).toList();
            var referred = store.referredTo(
                    tx,
                    access.tables(),
                    schema.id(),
                    good.stream().map(item -> item.row().id()).toList());
            good.stream()
                    .filter(item -> referred.contains(item.row().id().value()))
                    .forEach(item -> item.refuse(RecordsProblem.referenced()));
            all = referred.isEmpty();
        } while (!all);
    }

    private void checkUnique(Tx tx, Access access, Sight sight, List<Item> items) {
        var attributes =
                sight.schema().attributes().stream().filter(Attribute::unique).toList();
        var owners = new ArrayList<Item>();
        var fields = new ArrayList<Attribute>();
        var values = new ArrayList<String>();
        var seen = new HashSet<List<Object>>();
        for (var item : items) {
            for (var attribute : attributes) {
                var value = Documents.value(item.row().document(), attribute);
                if (value.isNull()) {
                    continue;
                }
                var text = attribute.type() == ValueType.TEXT
                        ? value.stringValue()
                        : value.decimalValue().stripTrailingZeros().toPlainString();
                if (!seen.add(List.of(attribute.id(), text))) {
                    item.refuse(
                            notUnique(sight, attribute, "must be unique, and another record of this request has it"));
                }
                owners.add(item);
                fields.add(attribute);
                values.add(text);
            }
        }
        if (values.isEmpty()) {
            return;
        }
        var batch = items.stream().map(item -> item.row().id()).toList();
        var numbers = fields.stream().map(Attribute::id).toList();
        var taken = store.taken(tx, access.tables(), sight.schema().id(), numbers, values, batch);
        for (int place : taken.stream().sorted().toList()) {
            owners.get(place)
                    .refuse(notUnique(sight, fields.get(place), "must be unique, and another record has this value"));
        }
    }

    private static RecordsProblem notUnique(Sight sight, Attribute attribute, String message) {
        return RecordsProblem.notUnique(List.of(new FieldError(name(sight, attribute), message)));
    }

    private void checkTargets(Tx tx, Access access, Sight sight, List<Item> items) {
        var batch = new HashSet<UUID>();
        items.forEach(item -> batch.add(item.row().id().value()));
        for (var attribute : sight.schema().attributes()) {
            var target = attribute.references();
            if (target == null) {
                continue;
            }
            var asked = new HashMap<Item, UUID>();
            for (var item : items) {
                var value = Documents.value(item.row().document(), attribute);
                // What was there before was right then, whoever sees it.
                if (value.isString() && item.changes(attribute)) {
                    asked.put(item, UUID.fromString(value.stringValue()));
                }
            }
            if (target == sight.schema().id()) {
                asked.values().removeIf(batch::contains);
            }
            refuseUnseen(tx, access, sight, attribute, target, asked);
        }
    }

    private Schema current(Tx tx, Access access, Schema schema, short target) {
        return target == schema.id() ? schema : catalog.current(tx, access.tables(), target);
    }

    private void refuseUnseen(
            Tx tx, Access access, Sight sight, Attribute attribute, short target, Map<Item, UUID> asked) {
        if (asked.isEmpty()) {
            return;
        }
        var schema = current(tx, access, sight.schema(), target);
        // What is not theirs to write comes from before, and need only be there.
        var there = sight.mayWrite(attribute)
                ? sights.of(tx, access, schema)
                : new Sight(schema, Rules.NONE, access.user(), null);
        var seen = store.seen(tx, access.tables(), there, asked.values());
        asked.forEach((item, id) -> {
            if (!seen.contains(id)) {
                item.refuse(RecordsProblem.noTarget(List.of(new FieldError(
                        name(sight, attribute), "refers to no record of `%s`".formatted(schema.name())))));
            }
        });
    }

    /** What is hidden has no name: it is the record as a whole that is at fault. */
    private static String name(Sight sight, Attribute attribute) {
        return sight.shows(attribute) ? attribute.name() : "";
    }
}
