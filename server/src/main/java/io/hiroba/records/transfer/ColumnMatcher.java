package io.hiroba.records.transfer;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.InvalidValueException;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.SchemaNames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Finds the attributes that columns of a file are written to: by their names, their titles, names that they had before, and then by the
 * same without regard to case.
 */
final class ColumnMatcher {

    private final RecordAccess recordAccess;
    private final ImportOptions options;
    private final Map<String, Optional<SchemaAttribute>> found = new HashMap<>();

    ColumnMatcher(RecordAccess recordAccess, ImportOptions options) {
        this.recordAccess = recordAccess;
        this.options = options;
    }

    /**
     * The attribute of {@code column}; empty if there is none.
     *
     * @throws InvalidValueException if it may be one of several
     */
    Optional<SchemaAttribute> attribute(String column) throws InvalidValueException {
        var known = found.get(column);
        if (known == null) {
            known = matching(column);
            found.put(column, known);
        }
        return known;
    }

    private Optional<SchemaAttribute> matching(String column) throws InvalidValueException {
        var name = SchemaNames.normalized(options.attribute(column));
        var exact = matching(column, name, String::equals);
        return exact.isPresent() ? exact : matching(column, name, String::equalsIgnoreCase);
    }

    private Optional<SchemaAttribute> matching(String column, String name, BiPredicate<String, String> same)
            throws InvalidValueException {
        var title = SchemaNames.titleOf(name);
        var named = only(column, each -> same.test(each.name(), name) || same.test(each.name(), title));
        if (named.isPresent()) {
            return named;
        }
        var titled = only(column, each -> same.test(Objects.requireNonNullElse(each.title(), ""), title));
        if (titled.isPresent()) {
            return titled;
        }
        var known = recordAccess.attribute(name);
        return known.isPresent()
                ? known
                : only(column, each -> recordAccess.schema().wasCalled(each.id(), former -> same.test(former, name)));
    }

    private Optional<SchemaAttribute> only(String column, Predicate<SchemaAttribute> fits)
            throws InvalidValueException {
        List<SchemaAttribute> fitting =
                recordAccess.shown().stream().filter(fits).toList();
        if (fitting.size() > 1) {
            throw new InvalidValueException(Text.of(
                    "records.transfer.ambiguous-column",
                    "column",
                    column,
                    "attributes",
                    fitting.stream().map(SchemaAttribute::name).collect(Collectors.joining(", "))));
        }
        return fitting.stream().findFirst();
    }
}
