package io.hiroba.records.transfer;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.i18n.Language;
import io.hiroba.records.ProjectId;
import io.hiroba.records.query.Queries;
import io.hiroba.records.query.QueryResult;
import io.hiroba.records.query.RecordQuery;
import java.io.IOException;
import java.io.OutputStream;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;

/**
 * Exports all matching records in pages: one page is in memory at a time, and a slow reader holds no transaction open.
 * Concurrent changes may or may not be included. In order of ids no record occurs twice; in order of a value, a record
 * whose value changes may occur twice or not at all.
 */
final class Exports {

    private static final int PAGE = 100;

    private final Queries queries;
    private final DisplayNames names;

    Exports(Queries queries, DisplayNames names) {
        this.queries = queries;
        this.names = names;
    }

    /**
     * The format of written records.
     *
     * @param raw whether CSV has texts as they are, also those that a spreadsheet takes for formulas
     * @param zone the zone of moments in XLSX, whose cells have none
     * @param language of notes in cells that are too long for XLSX
     * @param named whether ids of people and records are followed by what these are called
     */
    public record Style(FileFormat format, boolean ids, boolean raw, ZoneId zone, Language language, boolean named) {

        Style(FileFormat format, boolean ids, boolean raw, ZoneId zone, Language language) {
            this(format, ids, raw, zone, language, false);
        }

        /** The format of a file whose times have offsets. */
        Style(FileFormat format, boolean ids, boolean raw) {
            this(format, ids, raw, ZoneOffset.UTC, Language.ENGLISH);
        }
    }

    /** Reads the first page, so that an invalid query is reported before anything is written. */
    public Export begin(Caller caller, ProjectId project, RecordQuery query, Style style) {
        var paged = query.limit(PAGE);
        return new Export(caller, project, paged, style, queries.page(caller, project, paged));
    }

    /** An export ready to be written. */
    public final class Export {

        private final Caller caller;
        private final ProjectId project;
        private final RecordQuery query;
        private final Style style;
        private final QueryResult first;

        private Export(Caller caller, ProjectId project, RecordQuery query, Style style, QueryResult first) {
            this.caller = caller;
            this.project = project;
            this.query = query;
            this.style = style;
            this.first = first;
        }

        /**
         * Writes everything and closes {@code out}; after a failure it stays open, since a proper end would mark the
         * export as complete.
         */
        public void writeTo(OutputStream out) throws IOException {
            var writer = RecordWriter.of(style, query.schema(), ExportFields.of(first, style), out);
            var page = first;
            writer.write(page, called(page));
            while (page.next() != null) {
                page = queries.page(caller, project, query.after(page.next()));
                writer.write(page, called(page));
            }
            writer.close();
        }

        private Map<String, String> called(QueryResult page) {
            return style.named() ? names.of(caller, project, page) : Map.of();
        }
    }
}
