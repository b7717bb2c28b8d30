package io.hiroba.backup;

import io.hiroba.App;
import io.hiroba.platform.i18n.Language;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Another process that upgrades a data folder, to be killed: the data folder and the folder of the former PostgreSQL. */
final class UpgradeNode {

    private UpgradeNode() {}

    public static void main(String[] arguments) throws Exception {
        var sources = new BackupSources(
                Path.of(arguments[0]), Map.of(), Optional.empty(), Optional.empty(), false, Optional.empty());
        new UpgradeCommand(sources, App.SCHEMAS, Language.ENGLISH, System.out, System.err)
                .transfer(Path.of(arguments[1]));
    }
}
