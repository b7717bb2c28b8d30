package io.hiroba.backup;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The places of a node's data.
 *
 * @param elsewhere files and folders outside the data folder, by the names that they have in it unless configured otherwise
 * @param configFile the configuration file, if there is one
 * @param backups the folder that the server's own backups go to, if one is set: it may lie in the data folder
 * @param pictures the bucket that pictures are in, which are in no backup then
 * @param hasOwnDatabase whether the database is one of the operator's own, which only its own tools can back up
 */
public record BackupSources(
        Path data,
        Map<String, Path> elsewhere,
        Optional<Path> configFile,
        Optional<Path> backups,
        boolean hasOwnDatabase,
        Optional<String> pictures) {

    public BackupSources {
        elsewhere = Map.copyOf(elsewhere);
    }

    Path database() {
        return data.resolve("postgres");
    }
}
