package io.hiroba.records.data;

import io.hiroba.platform.db.Tx;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.records.Access;
import io.hiroba.records.schema.Catalog;
import io.hiroba.records.schema.Schema;
import io.hiroba.records.schema.Sights;
import java.util.List;

/** Finds out which of many new records would break what their schema promises, for who writes them in a way of their own. */
public final class PromiseCheck {

    private final Promises promises;

    public PromiseCheck(Catalog catalog, Sights sights) {
        this.promises = new Promises(catalog, sights);
    }

    /** Whether the database alone does not do: it does not know that a record is not the caller's to see. */
    public boolean mustAsk(Tx tx, Access access, Schema schema) {
        return promises.mustAsk(tx, access, schema);
    }

    /** What is wrong with each of {@code rows}; nothing with most. */
    public List<List<FieldError>> errors(Tx tx, Access access, Schema schema, List<Row> rows) {
        var items = rows.stream().map(row -> new Item(row, null, List.of())).toList();
        promises.check(tx, access, schema, items);
        return items.stream()
                .map(item -> item.outcome() instanceof Outcome.Refused(var problem)
                        ? problem.fields()
                        : List.<FieldError>of())
                .toList();
    }
}
