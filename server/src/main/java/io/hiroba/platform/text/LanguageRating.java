package io.hiroba.platform.text;

import java.nio.charset.Charset;
import java.nio.charset.UnsupportedCharsetException;
import java.util.BitSet;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/**
 * Rates how much a text looks like a language, by its characters beyond ASCII: from 0, which is no language, to 1. Few characters
 * suffice, since bytes in the wrong encoding become rare characters, or letters that no single language has.
 */
enum LanguageRating {
    JAPANESE("") {
        @Override
        double of(String text) {
            var characters = beyondAscii(text);
            double kana = share(characters, LanguageRating::isKana);
            double kanji = share(characters, JIS_LEVEL_1::get);
            double sum = kana + kanji + share(characters, LanguageRating::isEastAsianMark);
            double rare = share(characters, c -> isHan(c) && !JIS_LEVEL_1.get(c));
            // Running text has kana; a few words may have none.
            return (sum + rare * RARE_WEIGHT) * (kana >= MIN_KANA ? 1 : WITHOUT_KANA);
        }
    },
    SIMPLIFIED_CHINESE("") {
        @Override
        double of(String text) {
            return chinese(text, GB_LEVEL_1, FREQUENT_SIMPLIFIED);
        }
    },
    TRADITIONAL_CHINESE("") {
        @Override
        double of(String text) {
            return chinese(text, BIG5_LEVEL_1, FREQUENT_TRADITIONAL);
        }
    },
    KOREAN("") {
        @Override
        double of(String text) {
            var characters = beyondAscii(text);
            double syllables = share(characters, c -> c >= 0xAC00 && c <= 0xD7A3);
            double frequent = share(characters, FREQUENT_KOREAN::get);
            return (syllables + share(characters, LanguageRating::isEastAsianMark))
                    * Math.min(1, frequent / (MIN_FREQUENT * Math.max(syllables, 0.01)));
        }
    },
    WESTERN("àâæçèéêëîïôœùûüÿ äöüßéàè áéíóúüñªº áâãàçéêíóôõúü àèéìíîòóùú åæøäöéüô áðéíóúýþæö áéëïíóöüèêç"),
    CENTRAL_EUROPEAN("ąćęłńóśźż áäčďéěíĺľňóôŕřšťúůýž áéíóöőúüű ăâîşţ čćđšž äöüß"),
    TURKISH("çğıöşüâîûİ"),
    BALTIC("ąčęėįšųūž āčēģīķļņšūž äöüõšž"),
    VIETNAMESE("àáâăèéêìíòóôơùúưđý\u0300\u0301\u0303\u0309\u0323"),
    CYRILLIC("абвгдеёжзийклмнопрстуфхцчшщъыьэюя абвгґдеєжзиіїйклмнопрстуфхцчшщьюя абвгдђежзијклљмнњопрстћуфхцчџш"),
    GREEK("αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ"),
    HEBREW("אבגדהוזחטיךכלםמןנסעףפץצקרשת"),
    ARABIC("ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژگ،؛؟ـ");

    private static final double MIN_KANA = 0.1;
    private static final double WITHOUT_KANA = 0.8;
    private static final double RARE_WEIGHT = 0.3;
    /** The rating of a text in letters that only several languages together have. */
    private static final double MANY_LANGUAGES = 0.92;
    /** The share that the frequent characters below have of a running text at least, with a margin. */
    private static final double MIN_FREQUENT = 0.25;

    private static final BitSet JIS_LEVEL_1 = level("EUC-JP", 0xB0, 0xCF, 0xA1);
    private static final BitSet GB_LEVEL_1 = level("GB2312", 0xB0, 0xD7, 0xA1);
    private static final BitSet BIG5_LEVEL_1 = level("Big5", 0xA4, 0xC6, 0x40);

    private static final BitSet FREQUENT_SIMPLIFIED = set("的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行"
            + "所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业"
            + "外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义"
            + "各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白"
            + "却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运");
    private static final BitSet FREQUENT_TRADITIONAL = set("的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行"
            + "所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業"
            + "外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義"
            + "各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基眼書非則聽白"
            + "卻界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運");
    private static final BitSet FREQUENT_KOREAN = set("이다는을가에의하고한지로사도은기인서리자시어나라를으대정아그수있것해들게일부주전구상과원보제여만성장니면국");

    /** The letters beyond ASCII of each of the languages, separated by spaces. */
    private final String alphabets;

    LanguageRating(String alphabets) {
        this.alphabets = alphabets;
    }

    /** The rating of a text that has characters beyond ASCII. */
    double of(String text) {
        double one = 0;
        for (var letters : alphabets.split(" ", -1)) {
            one = Math.max(one, alphabetic(text, letters));
        }
        // A list of names may be of many languages.
        return one > MANY_LANGUAGES ? one : Math.max(one, MANY_LANGUAGES * alphabetic(text, alphabets));
    }

    /** The share of characters that are letters of the alphabet, or marks, where words have them. */
    private static double alphabetic(String text, String letters) {
        boolean isLatin = letters.codePointAt(0) < 0x250;
        var all = text.codePoints().toArray();
        int beyond = 0;
        int good = 0;
        int own = 0;
        int ascii = 0;
        for (int i = 0; i < all.length; i++) {
            int c = all[i];
            if (c < 0x80 && !isControl(c)) {
                ascii += isAsciiLetter(c) ? 1 : 0;
                continue;
            }
            beyond++;
            int before = i == 0 ? ' ' : all[i - 1];
            int after = i + 1 == all.length ? ' ' : all[i + 1];
            if (letters.indexOf(c) >= 0 || letters.indexOf(Character.toLowerCase(c)) >= 0) {
                own++;
                good += isInWord(c, before, after, isLatin) ? 1 : 0;
            } else if (isMark(c)) {
                boolean isBetween = Character.isLetter(before) && Character.isLetter(after);
                good += (isBetween && c != '’') || (isMark(before) && isMark(after)) ? 0 : 1;
            }
        }
        boolean isDense = isLatin && own > 4 && own > ascii;
        return beyond == 0 || isDense ? 0 : (double) good / beyond;
    }

    /** A letter stands beside another one of its alphabet, or alone; a capital does not follow a small letter. */
    private static boolean isInWord(int c, int before, int after, boolean isLatin) {
        if (Character.isUpperCase(c) && Character.isLowerCase(before)) {
            return false;
        }
        if (!isLatin && (isAsciiLetter(before) || isAsciiLetter(after))) {
            return false;
        }
        return Character.isLetter(before)
                || Character.isLetter(after)
                || Character.getType(after) == Character.NON_SPACING_MARK
                || (before <= ' ' && after <= ' ');
    }

    private static boolean isControl(int c) {
        return c < ' ' && "\t\n\r\f\b\u001b".indexOf(c) < 0;
    }

    private static double chinese(String text, BitSet common, BitSet frequent) {
        var characters = beyondAscii(text);
        double known = share(characters, common::get);
        double rare = share(characters, c -> isHan(c) && !common.get(c));
        double often = share(characters, frequent::get);
        double sum = known + rare * RARE_WEIGHT + share(characters, LanguageRating::isEastAsianMark);
        return sum * Math.min(1, often / (MIN_FREQUENT * Math.max(known + rare, 0.01)));
    }

    private static int[] beyondAscii(String text) {
        return text.codePoints().filter(c -> c >= 0x80 || isControl(c)).toArray();
    }

    private static double share(int[] characters, IntPredicate wanted) {
        long count = 0;
        for (int c : characters) {
            count += wanted.test(c) ? 1 : 0;
        }
        return characters.length == 0 ? 0 : (double) count / characters.length;
    }

    private static boolean isAsciiLetter(int c) {
        return c < 0x80 && Character.isLetter(c);
    }

    private static boolean isKana(int c) {
        return c >= 0x3041 && c <= 0x30FF;
    }

    private static boolean isHan(int c) {
        return Character.UnicodeScript.of(c) == Character.UnicodeScript.HAN;
    }

    /** Punctuation and signs between East Asian characters. */
    private static boolean isEastAsianMark(int c) {
        return (c >= 0x3000 && c <= 0x301F)
                || (c >= 0xFF01 && c <= 0xFF5E)
                || (c >= 0x2010 && c <= 0x203B)
                || (c >= 0x2190 && c <= 0x21FF)
                || (c >= 0x2460 && c <= 0x2473)
                || (c >= 0x25A0 && c <= 0x25FF)
                || "±×÷°·℃№㈱".indexOf(c) >= 0;
    }

    /** Punctuation and signs between letters. */
    private static boolean isMark(int c) {
        return "\u00A0«»„“”‘’‚–—…•·°§©®™€£¿¡±×÷½¼¾²³№׳״".indexOf(c) >= 0;
    }

    private static BitSet set(String characters) {
        var set = new BitSet();
        characters.codePoints().forEach(set::set);
        return set;
    }

    /** The first level of an encoding's ideographs, which are the common ones; those of a JDK without that encoding are none. */
    private static BitSet level(String charset, int first, int last, int trail) {
        try {
            var encoding = Charset.forName(charset);
            var pairs = new byte[2];
            var all = new StringBuilder();
            for (int lead = first; lead <= last; lead++) {
                for (int second = trail; second < 0xFF; second++) {
                    pairs[0] = (byte) lead;
                    pairs[1] = (byte) second;
                    all.append(new String(pairs, encoding));
                }
            }
            return set(all.codePoints()
                    .filter(LanguageRating::isHan)
                    .mapToObj(Character::toString)
                    .collect(Collectors.joining()));
        } catch (UnsupportedCharsetException e) {
            return new BitSet();
        }
    }
}
