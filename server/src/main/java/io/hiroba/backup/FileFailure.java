package io.hiroba.backup;

import io.hiroba.platform.i18n.Text;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** The sentences for failures of files and databases. The message of a file's exception is often its name alone. */
public final class FileFailure {

    private FileFailure() {}

    public static Text sentence(Exception failure) {
        return switch (failure) {
            case AccessDeniedException denied -> about("denied", denied);
            case NoSuchFileException absent -> about("no-file", absent);
            case FileAlreadyExistsException there -> about("file-there", there);
            case FileSystemException other
            when other.getReason() == null -> failed(other.getClass().getSimpleName() + ": " + other.getMessage());
            default -> failed(failure.getMessage() == null ? failure.toString() : failure.getMessage());
        };
    }

    private static Text about(String problem, FileSystemException failure) {
        return Text.of("backup.problem." + problem, "file", String.valueOf(failure.getFile()));
    }

    private static Text failed(String reason) {
        return Text.of("backup.problem.failed", "reason", reason);
    }
}
