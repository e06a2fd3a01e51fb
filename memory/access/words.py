"""Words that the reduction of personal details knows: ordinary ones, and those that say that a text is too personal."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


ORDINARY = _set("""
a about above accept accepts across act acts add adds adjust adjusts after afterwards again against agree agrees ahead
alarm alarms all allow allows almost alone along already also although always am among an and another answer answers
any anyone anything app applies apply approve approves apps are around arrange arranges arrive arrives as ask asked
asking asks assistant at attach attaches avoid away back battery be because been before begin being believe believes
below best better between block blocks book booked booking books borrow borrows both bought brightness bring brush
brushes build builds bus but buy buys by calendar call called calling calls camera can cancel cannot car care cares
carries carry catch catches change changed charge charges check checking checks choose clean cleans clear close closed
coffee collect collects come compare complete completes confirm confirmed connect connects consider considers contact
contacts contain contains continue continues cook cooks copy correct cost costs could count counts cover covers create
cut cuts daily day days deal deals decide decided deciding delete deliver delivers describe describes did disable
disables display displays do does doing don't done down download downloads dress dresses drink drinks drive drives
drop drops during each early eat eats either else email emails empty enable enables end enjoy enough enter enters even
evening evenings event events every everyone everything except exercise exercises exit exits expect expects explain
explains few file files fill fills find finds finish first fix fixes flies flight fly follow follows for forget
forward forwards found free from full gather gathers get gets getting give given goes going good grab grabs great
guess guesses had handle handles happen happens has hate hates have having he hear hears help her here hers hide hides
him his hit hits hold home hope hopes house how however hurries hurry i i'd i'll i'm i've if ignore ignores in include
includes install installs instead into is it it's its itself join joins jump jumps just keep keeps kept keyboard kick
kicks know known knows last late later lay lays lead leads learned least leave leaves lend lends less lesson let let's
lift lifts like liked likes list listen live lives living lock locks log logs long look looks love loves lower lowers
lunch made mail make makes making many may maybe me mean meet meeting meetings meets mention mentions message messages
might mind minds mix mixes more morning mornings most move much music must mute mutes my need needed needs neither
never new next night nights no nobody none nor not note notes nothing notice notices notification notifications
notifies notify now of off offer offers often ok okay old on once one only open opened opening opens or order orders
other others our out over own pack packs park parks pass passes paste pastes pause pauses pay payment payments pays
people perhaps phone photo photos pick place places plan planned plans play plays please plug plugs post posts pour
pours prefer preferred prefers prepare prepares press prevent prevents print prints pull pulls push pushes put quick
quite raise raises rarely rather reach reaches read reads ready really receive receives record records refuse refuses
reject rejects relax relaxes remember reminder reminders remove rename renames rent rents repeat reply report reports
request requests require requires reserve reserved reserving rest rests resume resumes retries retry return returns
ride rides ring rings run runs said same save saves say says scan scans schedule schedules score scores screen scroll
scrolls search searching seat seats see seems seen select sell sells send sends separate separates serve serves set
sets setting settings several shake shakes shall share she shops should shout shouts show shows silence silences since
sing sings sit sits skip sleep sleeps slow so some someone something sometimes soon sort sorts sound speak speaks
spend spends stand stands start started starting starts stay stays still stop stopped stops store stores studies study
submit submits such suggest suggests swim swims switch sync syncs take taken takes talk tap task tasks taxi tea teach
teaches tell ten text texts than thank thanks that the their them then there these they thing things think this those
though three through throw throws ticket tickets time timer timers to today together told tomorrow tonight too took
touch touches track tracks traffic train trains translate translates travel travelled travels treat treats tried tries
trust trusts try trying turn turned turning turns two type types under understand understands undo undoes unlock
unlocks unmute unmutes until up update updated updates upload uploads upon us use used user user's users uses using
usually verify very video view views visit volume wait waiting wake wakes walk walks want wanted wants was wash washes
watch way we wear wears weather week weekend weekends weekly well went were what when whenever where whether which
while who whole whose why will win wins wipe wipes wish wishes with within without won't work worked works worries
worry would wrap wraps write wrong yes yesterday yet you you'd you'll you're your yours
""")
"""Lower case. A sentence may begin with one of these in capitals without naming anybody."""

CAPITALS = _set("""
Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mondays Tuesdays Wednesdays Thursdays Fridays Saturdays
Sundays January February March July September October November December Christmas Easter I I'd I'll I'm I've AC AM AI
API Bluetooth DND English GPS HTTP ID LTE NFC OK OS PC PDF PM QR RSS SIM SMS TV UI URL USB VPN WLAN Wi-Fi WiFi Wifi
Internet Android
""")
"""Written with a capital and nobody's name."""

KIN = (
    "aunt|baby|boss|boyfriend|brother|child|classmate|coach|colleague|cousin|coworker|dad|daughter|dentist|doctor|"
    "father|fiancé|fiancée|flatmate|friend|girlfriend|grandma|grandfather|grandmother|grandpa|granny|husband|kid|"
    "landlady|landlord|lawyer|manager|mom|mother|mum|neighbour|neighbor|nephew|niece|partner|pastor|pet|cat|dog|"
    "roommate|sister|son|stepfather|stepmother|teacher|therapist|trainer|uncle|wife"
)
"""Words after `my`, `his` and so on that a name often follows."""

STREETS = "street|road|avenue|lane|drive|square|court|boulevard|terrace|crescent|highway|alley|st|rd|ave|ln|blvd"
"""Kinds of streets, after their names."""

SECRETS = _set("""
password passwords passcode passcodes passphrase passphrases pin pins cvv cvc iban ssn otp credential credentials
""")
"""A text with one of these is never shared."""

SENSITIVE = _set("""
abortion addict addicted addiction aids allergic allergies allergy antidepressant antidepressants asthma bankrupt
bankruptcy bisexual cancer church convicted criminal debt debts depressed depression diabetes diabetic diagnosed
diagnosis disability disabled disease divorce divorced epilepsy ethnicity gay hiv illness immigrant insulin islam
jewish lesbian medication medications mental miscarriage mortgage mosque muslim overdose passport pill pills political
pregnancy pregnant prescription prison race rape religion religious salary schizophrenia sexual sexuality sick
suicidal suicide surgery synagogue therapist therapy transgender tumor tumour visa
""")
"""Health, money, belief, origin, intimate life: never shared, whatever else is reduced."""

NUMBERS = "zero|oh|one|two|three|four|five|six|seven|eight|nine"
"""Spoken digits."""
