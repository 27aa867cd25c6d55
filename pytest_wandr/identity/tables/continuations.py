"""Which capitalised words next to a name make it another name, and which do not?"""

from __future__ import annotations

from pytest_wandr.identity.tables.reading import words

SECTORS: frozenset[str] = words("""
    acoustics advertising advisors advisory aerospace agency agri agriculture agritech agro air aircraft
    airlines airways alliance aluminium aluminum analytics animation apparel appliances architects
    architecture arms art arts asset associates association athletics automation automotive aviation bakeries
    bakery bancorp bank banking bankers bank batteries battery beauty beer beverage beverages bikes bio
    biologics biomedical biopharma biosciences biotech biotechnologies biotechnology boats books brands
    breweries brewery brewing broadcasting brokerage brothers builders building buildings bureau cable cafe
    capital cars casino casinos cement center centers ceramics chemical chemicals chocolate church cinema
    cinemas clinic clinics clothing cloud club coal coatings coffee college commerce commodities
    communications components computer computers computing confectionery construction consultancy consultants
    consulting consumer containers copper cosmetics council credit creative cruises crypto cuisine dairy
    dairies data defense dental department design designs devices diagnostics digital directory distillers
    distillery distribution distributors drilling drinks drone drones drugs dynamics eatery education electric
    electrical electricity electronics energies energy engineering engineers engines entertainment enterprises
    environmental equipment equities equity estate estates events exchange exploration export exports express
    eyewear fabrics farm farms fashion fashions federation ferries fertilizers festival fiber film films
    finance financial fintech fisheries fishing fitness flavors flooring flowers food foods football footwear
    forest forestry forge foundation foundry freight fuel fuels fund funding funds furnishings furniture
    furnishing fusion galleries gallery games gaming garage gardens gas gases gear genetics genomics glass
    gold golf goods graphics grid groceries grocery growers guitars gym hardware harvest health healthcare
    heating helicopters holidays home homes hospital hospitality hospitals hosting hotel hotels household
    housing hydro hydrogen imaging imports industrial industries infotech infrastructure ingredients
    innovations inn inns institute instrument instruments insurance insurers intelligence interactive
    interiors international internet inventory investment investments investors iron jets jewelers jewellers
    jewelry journal juices kitchen kitchens lab laboratories laboratory labs lager land laser lasers laundry
    law learning leasing leather legal leisure library life lighting lines lines liquids lithium livestock
    loan loans locomotive lodge lodges logic logistics luggage lumber machine machinery machines magazine
    maintenance management manufacturing maps marine maritime market marketing marketplace markets materials
    mattress meat meats mechanics media medical medicine medicines memorial metal metallurgy metals metering
    methods microsystems milk mill milling mills mineral minerals mines mining mobile mobility molding
    mortgage mortgages motor motorcycles motors movers museum museums music mutual nanotech natural nephrology
    network networks neuroscience news newspaper nuclear nurseries nutrition offshore oil oils oncology
    operations optical optics orchards orchestra organics outdoors outfitters packaging paint paints paper
    papers park parking parks parts party pastries patisserie payments payroll pensions perfumes pet petroleum
    pets pharma pharmaceutical pharmaceuticals pharmacies pharmacy photonics pictures pipeline pipelines pizza
    plastics platforms plumbing polymers ports post postal pottery poultry power precision press print
    printers printing processing produce productions products projects promotions properties property protein
    publications publishers publishing pulp pumps quantum quarries radio rail railroad railway railways ranch
    realty records recruitment recycling refineries refining refrigeration remedies renewable renewables
    rental rentals repair research residences resins resorts resort resources restaurant restaurants retail
    robotics roofing rubber rugs safety sanitation satellite satellites sauce savings scaffolding school
    schools science sciences scientific seafood seafoods search seating securities security seed seeds
    semiconductor semiconductors sensors shipbuilding shipping ships shipyard shipyards shoes shop shops
    signal signals silicon silk silver skincare snacks software soft solar solutions sound space spas spices
    spirits sport sporting sports sportswear stables staffing stationery steel steels steelworks stone storage
    store stores stream studio studios sugar supermarket supermarkets supplies supply surgical surveying
    switchgear symphony synthetics systems tea technical technologies technology tech telecom
    telecommunications telecoms telematics telephone television textile textiles theater theaters therapeutics
    therapy tiles timber tire tires tobacco tools tours toys traction tractors trade traders trading training
    transit transmission transport transportation travel trees trucking trucks trust turbines tutors
    underwriters uniforms union university utilities utility vaccines valves vehicles ventures veterinary
    video vineyards vintners vision wagons warehouse warehousing wash waste watches water waters waterworks
    wealth weather weaving web wellness wheels wholesale wind windows wine wineries winery wines wireless
    wires wood woodworks wool works workshop workwear yachts yarn yoga zinc zoo appliance bearing bike
    boiler bolt boot bottle brick bus cabin cable candle canvas carpet cart
    cellular chain chair clay clock coat crane crop door drill elevator fabric fastener feed fence
    filter fish flour frame fruit gasket gauge grain granite graphite gravel gypsum hat hosiery ice ink
    jam kiln ladder lamp lantern lens lift lime linen lock loom malt marble mast matting mirror nail
    needle nursery nut oat oven panel pen pencil pipe plough polymer pump quarry quilt rail razor rope
    salt saw scale screw seal ship shirt shoe slate soap spring stove straw surveyor tank tannery tannin
    tent thread tile tin tool toy tractor tram tube twine valve van varnish wax wheel window wire yeast
    household furnace bicycle motorbike scooter ferry coach taxi
""")
"""What a company or an institution is in: behind a name, a capitalised one makes it another name."""

LOOSE: frozenset[str] = words("""
    group holdings holding company corporation partners international global worldwide worldwide ventures
""")
"""A parent, a holding or an arm of the same name: it may be the thing or not."""

REGION_WORDS: frozenset[str] = words("""
    asia europe africa america americas pacific emea apac latam oceania australia austria belgium brazil
    britain canada chile china colombia denmark egypt england finland france germany greece hungary india
    indonesia ireland israel italy japan kenya korea london malaysia mexico netherlands nigeria norway
    pakistan peru philippines poland portugal romania russia scotland singapore spain sweden switzerland
    schweiz deutschland taiwan thailand turkey uk ukraine usa us vietnam wales uae nederland espana mexico
    zealand arabia hong
""")
"""Behind a company's name: a regional arm."""

VARIANTS: frozenset[str] = words("""
    pro max mini plus ultra lite air se xl fe ti super xt xtx turbo edge note nano neo prime go one home
    professional enterprise standard premium deluxe basic ultimate student academic full hd titanium limited
    edition jr junior express classic sport advanced extended preview beta alpha
""")
"""Behind a product's name, whatever their case: another product."""

PLACE_LEFT: frozenset[str] = words("""
    north south east west northern southern eastern western northeast northwest southeast southwest new old
    upper lower little great papua equatorial saint st san santa sao fort port mount lake el los las
""")
"""Before a place's name: another place."""

PLACE_RIGHT: frozenset[str] = words("""
    street avenue road boulevard lane drive square bridge station hotel university college school hospital
    airport county island islands lake river bay beach falls springs hills heights park tower towers church
    cathedral abbey museum theater theatre stadium arena times post united rovers wanderers
""")
"""Behind a place's name: another thing."""

COMPANY_LEFT: frozenset[str] = words("""
    north south east west northern southern eastern western royal united national general american british
    great
""")
"""Before a company's name inside a sentence: another company."""

FUNDS: frozenset[str] = words("fund trust series partners class capital phase part tranche notes unit")
"""Names that count on: a number behind them belongs to them."""

HYPHENATED: frozenset[str] = words("""
    based backed owned led listed style made related branded affiliated controlled sponsored funded run
    powered built like wide only free friendly supplied operated licensed employed born trained educated
""")
"""Behind a name and a hyphen these say something about it, even in capitals."""

ROLES: frozenset[str] = words("""
    ceo cfo coo cto cio cmo cpo chro chairman chairwoman chair chief president vice executive financial
    operating officer director managing manager head founder cofounder co-founder partner principal general
    counsel secretary treasurer controller spokesman spokeswoman spokesperson analyst senior junior board
    member minister governor senator mayor judge professor dr mr mrs ms miss sir dame lord lady engineer
    investor deputy interim acting former incoming outgoing global group legal technology marketing people
    revenue information accounting human resources author editor reporter correspondent columnist coach
    captain actor actress singer novelist state
""")
"""Before or behind a name: who someone is."""

NEUTRAL: frozenset[str] = words("""
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december mon tue wed thu fri sat sun jan feb mar apr jun jul aug sep sept oct
    nov dec today yesterday tomorrow a an the and or but nor of for in on at by to from with without as is are
    was were be been has have had will would can could may might must shall should does did do not no it its
    this that these those who which whose what when where why how if then than so yet also here there he she
    they we you his her their our my your i after before over under into amid about against between through
    during since until upon via per while announces announced announcing appoints appointed appointing names
    named naming hires hired hiring promotes promoted taps tapped elects elected selects selected picks picked
    says said tells told sees saw sets set gets got makes made makes takes took gives gave goes went comes
    came becomes became buys bought sells sold acquires acquired merges merged launches launched unveils
    unveiled reveals revealed releases released reports reported posts posted plans planned expects expected
    signs signed wins won loses lost joins joined leaves left steps stepped resigns resigned retires retired
    departs departed succeeds succeeded replaces replaced returns returned starts started begins began ends
    ended opens opened closes closed cuts cut raises raised adds added drops dropped falls fell rises rose
    gains gained beats missed misses faces faced fights denies denied confirms confirmed agrees agreed seeks
    sought wants wanted needs needed keeps kept brings brought builds built moves moved expands expanded
    extends extended completes completed files filed issues issued offers offered provides provided recalls
    recalled warns warned welcomes welcomed declares declared updates updated introduces introduced presents
    receives received secures secured shares share stock stocks results result earnings revenue revenues
    profit profits sales quarter quarterly annual fiscal year report statement press release news shareholders
    shareholder investors employees staff workers customers deal deals bid offer ipo board ceo cfo dividend q1
    q2 q3 q4 h1 h2 fy inc incorporated corp corporation ltd limited llc plc gmbh ag sa nv new first second
    next last former current announcement appointment contact about website page home menu login search
    copyright
""")
"""Capitalised in headlines and sentences without being part of a name."""
