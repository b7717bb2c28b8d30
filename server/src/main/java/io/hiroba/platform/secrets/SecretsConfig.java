package io.hiroba.platform.secrets;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import java.nio.file.Path;

/** The settings of secrets that are encrypted in the database. */
public record SecretsConfig(
        @Default("")
        @Doc(
                "The file of the keys that encrypt secrets in the database, which all nodes share. Empty means `keys` in the data"
                        + " folder. It is made at the first start; without it those secrets cannot be read.")
        Path keyFile) {

    /** The key file of a node with this data folder. */
    public Path fileIn(Path data) {
        return keyFile.toString().isEmpty() ? data.resolve("keys") : keyFile.toAbsolutePath();
    }
}
