package io.hiroba.embedded;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Locale;

/** The names of the write-ahead log's files, which follow from positions, the timeline and the size of a file. */
public record Wal(long segmentSize) {

    /** The log of the databases that are initialised here. */
    public static final Wal EMBEDDED = new Wal(16 << 20);

    private static final long FOUR_GIGABYTES = 1L << 32;

    static Wal of(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(
                        "SELECT CAST(setting AS bigint) FROM pg_settings WHERE name = 'wal_segment_size'")) {
            row.next();
            return new Wal(row.getLong(1));
        }
    }

    WalPosition start(String lsn, int timeline) {
        return new WalPosition(lsn, timeline, bytes(lsn) / segmentSize);
    }

    WalPosition end(String lsn, int timeline) {
        return new WalPosition(lsn, timeline, (bytes(lsn) - 1) / segmentSize);
    }

    static long bytes(String lsn) {
        int slash = lsn.indexOf('/');
        return HexFormat.fromHexDigitsToLong(lsn, 0, slash) << 32
                | HexFormat.fromHexDigitsToLong(lsn, slash + 1, lsn.length());
    }

    /** The position at which a file begins. */
    String lsn(long segment) {
        long position = segment * segmentSize;
        return String.format(Locale.ROOT, "%X/%X", position >>> 32, position & 0xFFFFFFFFL);
    }

    /** The file name of a segment. */
    public String name(int timeline, long segment) {
        long perLog = FOUR_GIGABYTES / segmentSize;
        return String.format(Locale.ROOT, "%08X%08X%08X", timeline, segment / perLog, segment % perLog);
    }
}
