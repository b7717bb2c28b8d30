package io.hiroba.records.data;

import io.hiroba.platform.db.Tx;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.records.Access;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.schema.Attribute;
import io.hiroba.records.schema.Catalog;
import io.hiroba.records.schema.Schema;
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
        boolean all;
        do {
            // What is refused does not make room for others, nor is it there to be referred to.
            var good = items.stream().filter(Item::isGood).toList();
            checkUnique(tx, access, schema, good);
            checkTargets(tx, access, schema, good);
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

    private void checkUnique(Tx tx, Access access, Schema schema, List<Item> items) {
        var attributes = schema.attributes().stream().filter(Attribute::unique).toList();
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
                    item.refuse(notUnique(attribute));
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
        var taken = store.taken(
                tx,
                access.tables(),
                schema.id(),
                fields.stream().map(Attribute::id).toList(),
                values,
                batch);
        var names = new HashMap<Item, List<FieldError>>();
        for (int place : taken.stream().sorted().toList()) {
            names.computeIfAbsent(owners.get(place), item -> new ArrayList<>())
                    .add(new FieldError(fields.get(place).name(), "must be unique, and another record has this value"));
        }
        names.forEach((item, errors) -> item.refuse(RecordsProblem.notUnique(errors)));
    }

    private static RecordsProblem notUnique(Attribute attribute) {
        return RecordsProblem.notUnique(
                List.of(new FieldError(attribute.name(), "must be unique, and another record of this request has it")));
    }

    private void checkTargets(Tx tx, Access access, Schema schema, List<Item> items) {
        var batch = new HashSet<UUID>();
        items.forEach(item -> batch.add(item.row().id().value()));
        for (var attribute : schema.attributes()) {
            var target = attribute.references();
            if (target == null) {
                continue;
            }
            var asked = new HashMap<Item, UUID>();
            for (var item : items) {
                var value = Documents.value(item.row().document(), attribute);
                if (value.isString()) {
                    asked.put(item, UUID.fromString(value.stringValue()));
                }
            }
            if (target == schema.id()) {
                asked.values().removeIf(batch::contains);
            }
            refuseUnseen(tx, access, schema, attribute, target, asked);
        }
    }

    private Schema current(Tx tx, Access access, Schema schema, short target) {
        return target == schema.id() ? schema : catalog.current(tx, access.tables(), target);
    }

    private void refuseUnseen(
            Tx tx, Access access, Schema schema, Attribute attribute, short target, Map<Item, UUID> asked) {
        if (asked.isEmpty()) {
            return;
        }
        var sight = sights.of(tx, access, current(tx, access, schema, target));
        var seen = store.seen(tx, access.tables(), sight, asked.values());
        asked.forEach((item, id) -> {
            if (!seen.contains(id)) {
                item.refuse(RecordsProblem.noTarget(List.of(new FieldError(
                        attribute.name(),
                        "refers to no record of `%s`".formatted(sight.schema().name())))));
            }
        });
    }
}
