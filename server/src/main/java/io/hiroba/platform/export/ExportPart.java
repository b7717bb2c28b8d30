package io.hiroba.platform.export;

import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A part of the archives in which people get their own data: what one feature holds of them.
 *
 * @param name its name in the API, and the folder of its files in the archive
 * @param label its name for people
 */
public record ExportPart(String name, Text label, Content content) {

    /** The content of a part. */
    @FunctionalInterface
    public interface Content {

        /** Writes what belongs to {@code user}, in bounded memory and without a connection while it writes. */
        void write(long user, Folder folder) throws IOException;
    }

    /** The folder of a part in an archive that is being written. */
    @FunctionalInterface
    public interface Folder {

        /** Begins a file, which ends the one before. In one named {@code ….jsonl} each line counts as an item. */
        OutputStream begin(String file) throws IOException;
    }
}
