package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.Documents;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import io.hiroba.records.query.Queries;
import io.hiroba.records.query.QueryResult;
import io.hiroba.records.query.RecordQuery;
import io.javalin.http.Context;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.format.DateTimeFormatter;
import java.time.format.TextStyle;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** A view as a calendar: a month, with records on the days that an attribute says. */
public final class CalendarPage {

    /** The most pages of records that a month reads. */
    private static final int MAX_PAGES = 5;

    private final Shell shell;
    private final PageContext context;
    private final RecordTitles titles;
    private final Queries queries;

    CalendarPage(Shell shell, PageContext context, RecordTitles titles, Queries queries) {
        this.shell = shell;
        this.context = context;
        this.titles = titles;
        this.queries = queries;
    }

    /**
     * A month.
     *
     * @param zone the zone in which moments fall on days; null for days, which have none
     * @param isCut whether there are more records than it shows
     * @param isUnset whether the attribute of the days is gone
     */
    public record Calendar(
            String path,
            String title,
            String previous,
            String next,
            List<String> weekdays,
            List<List<Day>> weeks,
            @Nullable String zone,
            boolean isCut,
            boolean isUnset) {

        public Calendar {
            weekdays = List.copyOf(weekdays);
            weeks = List.copyOf(weeks);
        }
    }

    /**
     * A day of the calendar.
     *
     * @param date the whole date in words
     * @param weekday the day with its weekday and month, where days stand in one column
     */
    public record Day(
            int number,
            String iso,
            String date,
            String weekday,
            boolean isOutside,
            boolean isToday,
            List<Entry> entries) {

        public Day {
            entries = List.copyOf(entries);
        }
    }

    /**
     * A record on a day.
     *
     * @param path null for those who see it by a link
     * @param time of a moment
     */
    public record Entry(
            String title,
            @Nullable String path,
            @Nullable String time,
            @Nullable String color) {}

    /** @param tabs null for those who see it by a link */
    void show(Context ctx, ViewScope scope, @Nullable ViewTabs tabs) {
        var parameters = new HashMap<String, Object>();
        if (tabs != null) {
            parameters.put("tabs", tabs);
        }
        parameters.put("name", scope.view().view().name());
        parameters.put("calendar", calendar(scope, month(ctx, scope.reader())));
        shell.page(ctx, Text.verbatim(scope.view().view().name()), "records/calendar", parameters);
    }

    private static YearMonth month(Context ctx, Reader reader) {
        try {
            var month =
                    YearMonth.parse(Optional.ofNullable(ctx.queryParam("month")).orElse(""));
            return month.getYear() < 1 || month.getYear() > 9998 ? YearMonth.from(reader.today()) : month;
        } catch (DateTimeException e) {
            return YearMonth.from(reader.today());
        }
    }

    private Calendar calendar(ViewScope scope, YearMonth month) {
        var reader = scope.reader();
        var locale = reader.language().locale();
        var first = month.atDay(1).with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
        var last = month.atEndOfMonth().with(TemporalAdjusters.nextOrSame(DayOfWeek.SUNDAY));
        var date = scope.view()
                .attribute(scope.view().definition().set().date())
                .filter(each -> each.type().isTime())
                .orElse(null);
        var entries = new HashMap<LocalDate, List<Entry>>();
        boolean cut = date != null && fill(scope, date, first, last, entries);
        var weekdays = DateTimeFormatter.ofPattern(reader.text("records.calendar-day"), locale);
        var weeks = new ArrayList<List<Day>>();
        for (var monday = first; !monday.isAfter(last); monday = monday.plusWeeks(1)) {
            weeks.add(Stream.iterate(monday, day -> day.plusDays(1))
                    .limit(DayOfWeek.values().length)
                    .map(day -> new Day(
                            day.getDayOfMonth(),
                            day.toString(),
                            reader.date(day),
                            weekdays.format(day),
                            !YearMonth.from(day).equals(month),
                            day.equals(reader.today()),
                            entries.getOrDefault(day, List.of())))
                    .toList());
        }
        return new Calendar(
                scope.path(),
                month.atDay(1)
                        .format(DateTimeFormatter.ofLocalizedPattern("yMMMM").withLocale(locale)),
                scope.path() + "?month=" + month.minusMonths(1),
                scope.path() + "?month=" + month.plusMonths(1),
                Stream.of(DayOfWeek.values())
                        .map(each -> each.getDisplayName(TextStyle.SHORT_STANDALONE, locale))
                        .toList(),
                weeks,
                date != null && date.type() == ValueType.DATETIME ? reader.zoneName() : null,
                cut,
                date == null);
    }

    /** Puts records on their days; the answer is whether there are more. */
    private boolean fill(
            ViewScope scope,
            SchemaAttribute date,
            LocalDate first,
            LocalDate last,
            Map<LocalDate, List<Entry>> entries) {
        var title = scope.title().orElse(null);
        var by = scope.view()
                .attribute(scope.view().definition().set().by())
                .filter(SchemaAttribute::isSelect)
                .orElse(null);
        var columns = Stream.of(Optional.of(date), Optional.ofNullable(title), Optional.ofNullable(by))
                .flatMap(Optional::stream)
                .distinct()
                .toList();
        var rows = new GridRows(scope.access(), scope.recordAccess(), context, titles, scope.reader());
        var where = ViewScope.both(
                ViewScope.test(date, "gte", bound(scope, date, first)),
                ViewScope.test(date, "lt", bound(scope, date, last.plusDays(1))));
        String after = null;
        for (int page = 0; page < MAX_PAGES; page++) {
            var found = queries.page(
                    scope.access().caller(),
                    scope.access().project().id(),
                    scope.query(where, rows.select(columns), RecordQuery.MAX_LIMIT)
                            .after(after));
            add(scope, found, rows.of(found, columns), new Attributes(date, title, by, columns), entries);
            after = found.next();
            if (after == null) {
                return false;
            }
        }
        return true;
    }

    private record Attributes(
            SchemaAttribute date,
            @Nullable SchemaAttribute title,
            @Nullable SchemaAttribute by,
            List<SchemaAttribute> columns) {

        Optional<Cell> cell(Grid.Line line, @Nullable SchemaAttribute attribute) {
            int at = attribute == null ? -1 : columns.indexOf(attribute);
            return at < 0 ? Optional.empty() : Optional.of(line.cells().get(at));
        }
    }

    private static void add(
            ViewScope scope,
            QueryResult found,
            List<Grid.Line> lines,
            Attributes attributes,
            Map<LocalDate, List<Entry>> entries) {
        for (int i = 0; i < lines.size(); i++) {
            var line = lines.get(i);
            var stored = Documents.value(found.rows().get(i).document(), attributes.date());
            var local = local(scope.reader(), attributes.date(), stored);
            var name = attributes
                    .cell(line, attributes.title())
                    .map(Cell::text)
                    .filter(text -> !text.isBlank())
                    .orElseGet(() -> RecordTitles.shortened(line.id()));
            entries.computeIfAbsent(local.toLocalDate(), day -> new ArrayList<>())
                    .add(new Entry(
                            name,
                            scope.shared() == null ? line.path() : null,
                            attributes.date().type() == ValueType.DATETIME
                                    ? scope.reader().time(local)
                                    : null,
                            attributes
                                    .cell(line, attributes.by())
                                    .map(Cell::color)
                                    .orElse(null)));
        }
    }

    /** A day is the same for everybody; a moment falls on a day of the reader's. */
    private static LocalDateTime local(Reader reader, SchemaAttribute date, JsonNode stored) {
        var text = date.type().shown(stored).asString();
        return date.type() == ValueType.DATE
                ? LocalDate.parse(text).atStartOfDay()
                : FormValues.moment(text).orElseThrow().atZone(reader.zone()).toLocalDateTime();
    }

    private static JsonNode bound(ViewScope scope, SchemaAttribute date, LocalDate day) {
        return JsonNodeFactory.instance.stringNode(
                date.type() == ValueType.DATE
                        ? day.toString()
                        : day.atStartOfDay(scope.reader().zone()).toInstant().toString());
    }
}
