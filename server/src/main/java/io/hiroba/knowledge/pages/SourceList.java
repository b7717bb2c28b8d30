package io.hiroba.knowledge.pages;

import io.hiroba.platform.i18n.Text;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the list of sources with its filters.
 *
 * @param isAll whether public ones of others are included
 * @param type the only type shown, as in the API; empty for any
 * @param more the URL of older ones, if any
 * @param maxBytes the maximum size of a file
 * @param collections those that the list can be filtered by
 * @param targets those that sources can be added to
 */
public record SourceList(
        List<SourceItem> items,
        boolean isAll,
        String type,
        @Nullable String more,
        long maxBytes,
        List<Failure> failures,
        List<SearchForm.Choice> collections,
        List<SearchForm.Choice> targets) {

    /** A file that was refused. */
    public record Failure(Text name, Text message) {}

    /** The encodings to choose from where one cannot be told. */
    public static final List<String> ENCODINGS = List.of(
            "UTF-8",
            "UTF-16",
            "Shift_JIS",
            "EUC-JP",
            "ISO-2022-JP",
            "GB18030",
            "GBK",
            "Big5",
            "EUC-KR",
            "windows-1250",
            "windows-1251",
            "windows-1252",
            "windows-1253",
            "windows-1254",
            "windows-1255",
            "windows-1256",
            "windows-1257",
            "windows-1258");

    public SourceList {
        items = List.copyOf(items);
        failures = List.copyOf(failures);
        collections = List.copyOf(collections);
        targets = List.copyOf(targets);
    }

    public long maxMegabytes() {
        return maxBytes >> 20;
    }

    public List<SearchForm.Choice> kinds() {
        return SearchForm.Choice.kinds(type);
    }

    public boolean isFiltered() {
        return isAll || !type.isEmpty() || collections.stream().anyMatch(SearchForm.Choice::chosen);
    }
}
