package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.Form;
import io.hiroba.records.Schemas;
import io.hiroba.records.ValueType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The way in which values of an attribute are computed, as its page shows it.
 *
 * @param values the fields of the form
 * @param choices what they may come from
 * @param isRunning whether some records are still to be computed
 * @param missing the reasons why some of the first records have no value
 */
public record ComputedState(
        ComputedFields.Kind kind,
        Map<String, String> values,
        ComputedChoices choices,
        boolean isRunning,
        List<Text> missing) {

    public ComputedState {
        values = Map.copyOf(values);
        missing = List.copyOf(missing);
    }

    /** The kind with the type of the values. */
    Text typeLabel(ValueType type) {
        return new AttributeRow(0, false, Map.of("type", type.label(), "computed", kind.label()), Map.of()).typeLabel();
    }

    /** That of an attribute; null if its values are written. */
    static @Nullable ComputedState of(Schemas schemas, AttributePages.Place place, Form form) {
        var choices = ComputedChoices.of(place.recordAccess().schema(), schemas.list(place.access()));
        var name = place.attribute().name();
        var definition = choices.defined().get(name);
        if (definition == null) {
            return null;
        }
        var kind = ComputedFields.Kind.of(definition);
        return new ComputedState(
                kind,
                form.values().containsKey(kind.part()) ? form.values() : ComputedFields.values(definition),
                choices,
                choices.computing().contains(name),
                schemas.missing(
                        place.access(),
                        place.schema(),
                        String.valueOf(place.attribute().id()),
                        definition));
    }
}
