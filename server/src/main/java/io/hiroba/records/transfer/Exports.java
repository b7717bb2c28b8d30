package io.hiroba.records.transfer;

import io.hiroba.accounts.Caller;
import io.hiroba.records.ProjectId;
import io.hiroba.records.query.Queries;
import io.hiroba.records.query.QueryResult;
import io.hiroba.records.query.RecordQuery;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes records out, as many as there are, in pages: one is in memory at a time, and who reads slowly holds no transaction
 * open. What is written in the meantime may be in it or not. In the order of the records' ids none is there twice; in the
 * order of a value, one whose value changes in the meantime may be there in both places, or in neither.
 */
final class Exports {

    private static final int PAGE = 100;

    private final Queries queries;

    Exports(Queries queries) {
        this.queries = queries;
    }

    /** The format of written records. */
    public record Style(FileFormat format, boolean ids, boolean safe) {}

    /** Finds the first records, so that what is wrong with the query is said before anything is written. */
    public Export begin(Caller caller, ProjectId project, RecordQuery query, Style style) {
        var paged = query.limit(PAGE);
        return new Export(caller, project, paged, style, queries.page(caller, project, paged));
    }

    /** An export that is about to be written. */
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

        /** Writes all of it and closes {@code out}; where that fails, it stays open: its end would say that all is there. */
        public void writeTo(OutputStream out) throws IOException {
            var writer = RecordWriter.of(style, ExportFields.of(first), out);
            var page = first;
            writer.write(page);
            while (page.next() != null) {
                page = queries.page(caller, project, query.after(page.next()));
                writer.write(page);
            }
            writer.close();
        }
    }
}
