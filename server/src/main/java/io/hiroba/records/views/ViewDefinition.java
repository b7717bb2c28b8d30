package io.hiroba.records.views;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The content of a view.
 *
 * @param filter a condition as queries have it
 * @param columns in their order; attributes that are not named follow
 * @param groupBy the attribute whose values are put together
 * @param sums the figures of each group
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ViewDefinition(
        @Nullable JsonNode filter,
        @Nullable List<SortKey> sort,
        @Nullable List<Column> columns,
        @Nullable Grouping groupBy,
        @Nullable List<Sum> sums,
        @Nullable Settings settings) {

    public static final ViewDefinition EMPTY = new ViewDefinition(null, null, null, null, null, null);

    public ViewDefinition {
        filter = filter == null || filter.isNull() || filter.isEmpty() ? null : filter;
        sort = sort == null ? null : List.copyOf(sort);
        columns = columns == null ? null : List.copyOf(columns);
        sums = sums == null ? null : List.copyOf(sums);
    }

    /** A sort key as queries have it. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record SortKey(
            String attr, @Nullable String dir, @Nullable String nulls) {}

    /**
     * A column.
     *
     * @param width in pixels
     * @param frozen whether it stays where it is when others are scrolled
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Column(
            String attribute,
            @Nullable Boolean hidden,
            @Nullable Integer width,
            @Nullable Boolean frozen) {}

    /**
     * The attribute that records are grouped by.
     *
     * @param unit the unit that times are cut to
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Grouping(String attribute, @Nullable String unit) {}

    /** A figure of a group, such as the sum of an attribute. */
    public record Sum(String attribute, String function) {}

    /**
     * The settings of a kind.
     *
     * @param by the attribute whose values are the columns of a board
     * @param date the attribute that places a record in a calendar
     * @param title the attribute that cards are called by
     * @param cover the attribute with the address of a picture, or with attached ones
     * @param fields those of a form, in their order
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Settings(
            @Nullable String by,
            @Nullable String date,
            @Nullable String title,
            @Nullable String cover,
            @Nullable List<Field> fields,
            @Nullable String heading,
            @Nullable String description,
            @Nullable String thanks) {

        public static final Settings NONE = new Settings(null, null, null, null, null, null, null, null);

        public Settings {
            fields = fields == null ? null : List.copyOf(fields);
        }

        private Settings named(UnaryOperator<String> names) {
            return new Settings(
                    by == null ? null : names.apply(by),
                    date == null ? null : names.apply(date),
                    title == null ? null : names.apply(title),
                    cover == null ? null : names.apply(cover),
                    fields == null
                            ? null
                            : fields.stream()
                                    .map(each -> new Field(
                                            names.apply(each.attribute()), each.label(), each.help(), each.required()))
                                    .toList(),
                    heading,
                    description,
                    thanks);
        }
    }

    /** A field of a form, with a label and help of its own. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Field(
            String attribute,
            @Nullable String label,
            @Nullable String help,
            @Nullable Boolean required) {}

    /** The settings, whether there are any or not. */
    public Settings set() {
        return settings == null ? Settings.NONE : settings;
    }

    List<Column> columnList() {
        return columns == null ? List.of() : columns;
    }

    /** With attributes called otherwise. */
    ViewDefinition named(@Nullable JsonNode condition, UnaryOperator<String> names) {
        return new ViewDefinition(
                condition,
                sort == null
                        ? null
                        : sort.stream()
                                .map(each -> new SortKey(names.apply(each.attr()), each.dir(), each.nulls()))
                                .toList(),
                columns == null
                        ? null
                        : columns.stream()
                                .map(each -> new Column(
                                        names.apply(each.attribute()), each.hidden(), each.width(), each.frozen()))
                                .toList(),
                groupBy == null ? null : new Grouping(names.apply(groupBy.attribute()), groupBy.unit()),
                sums == null
                        ? null
                        : sums.stream()
                                .map(each -> new Sum(names.apply(each.attribute()), each.function()))
                                .toList(),
                settings == null ? null : settings.named(names));
    }

    /** The same with other settings of its kind. */
    public ViewDefinition with(Settings others) {
        return new ViewDefinition(filter, sort, columns, groupBy, sums, others);
    }

    /** The same with another filter, order and columns. */
    public ViewDefinition with(
            @Nullable JsonNode condition, @Nullable List<SortKey> keys, @Nullable List<Column> shown) {
        return new ViewDefinition(condition, keys, shown, groupBy, sums, settings);
    }
}
