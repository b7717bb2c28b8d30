package io.hiroba.platform.db;

/**
 * The advisory lock of a backup that copies files which rows name. It is held from before the end of the database's copy until the
 * files are copied; who deletes such files takes it shared, and claims none of them meanwhile.
 */
public final class BackupLock {

    /** The key, as an expression of SQL. */
    public static final String KEY = "hashtextextended('hiroba.backup', 0)";

    /** A condition of SQL that is true, until the end of the transaction, unless a backup copies files. */
    public static final String NO_BACKUP = "(SELECT pg_try_advisory_xact_lock_shared(" + KEY + "))";

    private BackupLock() {}
}
